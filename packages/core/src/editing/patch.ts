/** A line of a hunk. `same` and `removed` lines stand in the file, `removed` and `added` ones are the change. */
export interface PatchLine {
  readonly kind: 'same' | 'removed' | 'added';
  /** Without its line end. */
  readonly text: string;
  /** True: the file ends with this line, and no line end follows it. */
  readonly open?: true;
}

/** One place of a file that changes. */
export interface Hunk {
  /** Lines that come before the place, outermost first: a class, then a method. Trimmed, none empty. */
  readonly anchors: readonly string[];
  /** 1-based number of the first old line. A hint: it decides between places that are alike, and nothing else. */
  readonly hint?: number;
  /** If all are `same`, the hunk changes nothing: it only says where the next one continues. */
  readonly lines: readonly PatchLine[];
  /** The old lines are the last of the file. */
  readonly endOfFile: boolean;
  /** 1-based line of the patch that it begins in. */
  readonly at: number;
}

export function isContext({ lines }: Hunk): boolean {
  return lines.every(({ kind }) => kind === 'same');
}

/** What is done with one file. `at`: 1-based line of the patch. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string; readonly at: number }
  | { readonly kind: 'delete'; readonly path: string; readonly at: number }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly movedTo?: string;
      /** None only for a file that is moved as it is. */
      readonly hunks: readonly Hunk[];
      readonly at: number;
    };

/** In order; never empty. */
export type Patch = readonly FilePatch[];

/** Why a text is no patch; `message` names the line and the next step. */
export interface PatchFault {
  readonly at: number;
  readonly message: string;
}

/** The shortest patch that is worth showing. */
export const PATCH_EXAMPLE = `*** Begin Patch
*** Update File: src/a.ts
@@ function area() {
   const width = 2;
-  return width;
+  return width * width;
 }
*** End Patch`;
