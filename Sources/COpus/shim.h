// libopus, with its variadic controls as plain functions, since Swift cannot call variadic ones.
// Set controls when an encoder or decoder is made, never for a frame: some of them are costly.
#pragma once
#include <opus.h>

static inline int copus_set_bitrate(OpusEncoder *encoder, opus_int32 bits_per_second) {
  return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second));
}

static inline int copus_set_vbr(OpusEncoder *encoder, opus_int32 on, opus_int32 constrained) {
  int result = opus_encoder_ctl(encoder, OPUS_SET_VBR(on));
  if (result != OPUS_OK) return result;
  return opus_encoder_ctl(encoder, OPUS_SET_VBR_CONSTRAINT(constrained));
}

static inline int copus_set_complexity(OpusEncoder *encoder, opus_int32 complexity) {
  return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity));
}

static inline int copus_get_lookahead(OpusEncoder *encoder, opus_int32 *frames) {
  return opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(frames));
}

static inline int copus_set_gain(OpusDecoder *decoder, opus_int32 gain) {
  return opus_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

static inline int copus_reset(OpusDecoder *decoder) {
  return opus_decoder_ctl(decoder, OPUS_RESET_STATE);
}
