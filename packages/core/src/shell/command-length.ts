/** Longer text is not read: parsing time grows faster than length, and a command argument has a limit of its own. */
export const MAX_COMMAND_LENGTH = 65_536;
