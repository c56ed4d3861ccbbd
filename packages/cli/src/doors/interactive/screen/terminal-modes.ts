/** Text that is pasted is marked (2004); keys that others send with the same bytes are told apart, where that is known. */
export const TAKE_TERMINAL = '\u001b[?2004h\u001b[>1u\u001b[?u\u001b[>4;1m';
export const GIVE_BACK_TERMINAL = '\u001b[>4;0m\u001b[<u\u001b[?2004l\u001b[?2026l\u001b[?25h';
/** The answer comes among the keys, or never. */
export const ASK_BACKGROUND = '\u001b]11;?\u001b\\';
export const ENTER_FULL_SCREEN = '\u001b[?1049h\u001b[H\u001b[2J';
export const LEAVE_FULL_SCREEN = '\u001b[?1049l';
export const CLEAR_SCREEN = '\u001b[H\u001b[2J';
export const BELL = '\u0007';
