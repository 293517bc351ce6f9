// Decodes the packets that libopusfile finds with libopus' plain decoder. Left to itself,
// libopusfile makes a multistream decoder, which asks for the processor's features at each packet:
// in a virtual machine, that costs as much as the decoding. The reader's thread calls it.

import COpus
import COpusfile

final class OpusPackets {
  private let file: OpaquePointer
  /// Nil while the link cannot be decoded by one decoder.
  private var decoder: OpaquePointer?
  private var link: Int32?

  init(_ file: OpaquePointer) {
    self.file = file
    op_set_decode_callback(
      file,
      { owner, _, samples, packet, frames, channels, format, link in
        guard let owner, let samples, let packet else { return OP_DEC_USE_DEFAULT }
        return Unmanaged<OpusPackets>.fromOpaque(owner).takeUnretainedValue()
          .decode(packet.pointee, frames, channels, format, link, into: samples)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { close() }

  /// The next packet does not follow the last one.
  func reset() {
    if let decoder { copus_reset(decoder) }
  }

  private func close() {
    if let decoder { opus_decoder_destroy(decoder) }
    decoder = nil
  }

  /// Returns 0, or what libopusfile is to do instead.
  private func decode(
    _ packet: ogg_packet, _ frames: Int32, _ channels: Int32, _ format: Int32, _ link: Int32,
    into samples: UnsafeMutableRawPointer
  ) -> Int32 {
    if link != self.link { open(link, channels) }
    guard let decoder else { return OP_DEC_USE_DEFAULT }
    let length = opus_int32(packet.bytes)
    let count =
      format == OP_DEC_FORMAT_FLOAT
      ? opus_decode_float(
        decoder, packet.packet, length, samples.assumingMemoryBound(to: Float.self), frames, 0)
      : opus_decode(
        decoder, packet.packet, length, samples.assumingMemoryBound(to: Int16.self), frames, 0)
    return min(count, 0)
  }

  private func open(_ link: Int32, _ channels: Int32) {
    close()
    self.link = link
    let head = op_head(file, link).pointee
    guard head.stream_count == 1 else { return }
    decoder = opus_decoder_create(opus_int32(OpusReader.sampleRate), channels, nil)
    if let decoder { copus_set_gain(decoder, head.output_gain) }
  }
}
