// Linux's names for the keys that pedals, keypads, remote controls and panels send. A key that is
// not here is named by its number. Pure values.

enum KeyCode {
  /// Returns the code of a key's name or number; nil if it is neither.
  static func number(_ text: String) -> UInt16? {
    if let code = codes[text] { return code }
    // 0 is reserved; 0x2FF is the highest code.
    guard let number = UInt16(text), (1...0x2FF).contains(number) else { return nil }
    return number
  }

  static func name(_ code: UInt16) -> String { namesByCode[code] ?? "\(code)" }

  static var names: [String] { Array(codes.keys) }

  private static let namesByCode = Dictionary(
    codes.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })

  private static let codes: [String: UInt16] = [
    // Letters and digits.
    "KEY_A": 30, "KEY_B": 48, "KEY_C": 46, "KEY_D": 32, "KEY_E": 18, "KEY_F": 33, "KEY_G": 34,
    "KEY_H": 35, "KEY_I": 23, "KEY_J": 36, "KEY_K": 37, "KEY_L": 38, "KEY_M": 50, "KEY_N": 49,
    "KEY_O": 24, "KEY_P": 25, "KEY_Q": 16, "KEY_R": 19, "KEY_S": 31, "KEY_T": 20, "KEY_U": 22,
    "KEY_V": 47, "KEY_W": 17, "KEY_X": 45, "KEY_Y": 21, "KEY_Z": 44, "KEY_0": 11, "KEY_1": 2,
    "KEY_2": 3, "KEY_3": 4, "KEY_4": 5, "KEY_5": 6, "KEY_6": 7, "KEY_7": 8, "KEY_8": 9, "KEY_9": 10,
    // Function keys.
    "KEY_F1": 59, "KEY_F2": 60, "KEY_F3": 61, "KEY_F4": 62, "KEY_F5": 63, "KEY_F6": 64,
    "KEY_F7": 65, "KEY_F8": 66, "KEY_F9": 67, "KEY_F10": 68, "KEY_F11": 87, "KEY_F12": 88,
    "KEY_F13": 183, "KEY_F14": 184, "KEY_F15": 185, "KEY_F16": 186, "KEY_F17": 187, "KEY_F18": 188,
    "KEY_F19": 189, "KEY_F20": 190, "KEY_F21": 191, "KEY_F22": 192, "KEY_F23": 193, "KEY_F24": 194,
    // Keypads.
    "KEY_KP0": 82, "KEY_KP1": 79, "KEY_KP2": 80, "KEY_KP3": 81, "KEY_KP4": 75, "KEY_KP5": 76,
    "KEY_KP6": 77, "KEY_KP7": 71, "KEY_KP8": 72, "KEY_KP9": 73, "KEY_KPENTER": 96, "KEY_KPPLUS": 78,
    "KEY_KPMINUS": 74, "KEY_KPASTERISK": 55, "KEY_KPSLASH": 98, "KEY_KPDOT": 83,
    // Other keys of a keyboard.
    "KEY_ESC": 1, "KEY_ENTER": 28, "KEY_SPACE": 57, "KEY_TAB": 15, "KEY_BACKSPACE": 14,
    "KEY_DELETE": 111, "KEY_INSERT": 110, "KEY_UP": 103, "KEY_DOWN": 108, "KEY_LEFT": 105,
    "KEY_RIGHT": 106, "KEY_HOME": 102, "KEY_END": 107, "KEY_PAGEUP": 104, "KEY_PAGEDOWN": 109,
    "KEY_MINUS": 12, "KEY_EQUAL": 13, "KEY_COMMA": 51, "KEY_DOT": 52, "KEY_SLASH": 53,
    "KEY_LEFTCTRL": 29, "KEY_LEFTSHIFT": 42, "KEY_LEFTALT": 56, "KEY_RIGHTCTRL": 97,
    "KEY_RIGHTSHIFT": 54, "KEY_RIGHTALT": 100,
    // Media, telephones and remote controls.
    "KEY_RECORD": 167, "KEY_PLAY": 207, "KEY_PAUSE": 119, "KEY_PLAYPAUSE": 164, "KEY_PLAYCD": 200,
    "KEY_PAUSECD": 201, "KEY_STOP": 128, "KEY_STOPCD": 166, "KEY_NEXTSONG": 163,
    "KEY_PREVIOUSSONG": 165, "KEY_REWIND": 168, "KEY_FASTFORWARD": 208, "KEY_EJECTCD": 161,
    "KEY_VOLUMEUP": 115, "KEY_VOLUMEDOWN": 114, "KEY_MUTE": 113, "KEY_MICMUTE": 248,
    "KEY_NEXT": 407, "KEY_PREVIOUS": 412, "KEY_SELECT": 353, "KEY_OK": 352, "KEY_BACK": 158,
    "KEY_POWER": 116, "KEY_SLEEP": 142, "KEY_PHONE": 169, "KEY_PROG1": 148, "KEY_PROG2": 149,
    "KEY_PROG3": 202, "KEY_PROG4": 203,
    // Buttons, as pedals, mice and game pads call them.
    "BTN_0": 256, "BTN_1": 257, "BTN_2": 258, "BTN_3": 259, "BTN_4": 260, "BTN_5": 261,
    "BTN_6": 262, "BTN_7": 263, "BTN_8": 264, "BTN_9": 265, "BTN_LEFT": 272, "BTN_RIGHT": 273,
    "BTN_MIDDLE": 274, "BTN_SIDE": 275, "BTN_EXTRA": 276, "BTN_TRIGGER": 288, "BTN_THUMB": 289,
    "BTN_THUMB2": 290, "BTN_TOP": 291, "BTN_TOP2": 292, "BTN_PINKIE": 293, "BTN_BASE": 294,
    "BTN_BASE2": 295, "BTN_SOUTH": 304, "BTN_EAST": 305, "BTN_NORTH": 307, "BTN_WEST": 308,
    "BTN_TL": 310, "BTN_TR": 311, "BTN_SELECT": 314, "BTN_START": 315,
  ]
}
