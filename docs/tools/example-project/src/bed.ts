export interface Bed {
  readonly name: string;
  /** Metres, as is the length. */
  readonly width: number;
  readonly length: number;
}

/** Square metres. */
export function area(bed: Bed): number {
  return bed.width * bed.length;
}
