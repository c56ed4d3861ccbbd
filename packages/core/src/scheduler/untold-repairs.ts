/** Returns the notes on arguments that the model has not had in this session: one of each kind, whatever the values are. */
export function untoldRepairs(told: Set<string> | undefined, toolName: string, repairs: readonly string[]): string[] {
  return repairs.filter((repair) => {
    const kind = `${toolName} ${repair.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, '#')}`;
    if (told?.has(kind) === true) return false;
    told?.add(kind);
    return true;
  });
}
