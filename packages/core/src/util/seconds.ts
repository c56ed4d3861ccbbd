/** `0.5 s`, `30 s`, `92.4 s`: to a tenth, which is left out where it is none. */
export function secondsText(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
