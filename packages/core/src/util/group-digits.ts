/** `1,234`. The language's own formatter takes 20 ms when it is first used. */
export function groupDigits(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
