import ts from 'typescript';
import type { SourceFile } from '../source-files.js';

/** A place that breaks a rule of the house. */
export interface Finding {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** A check looks at files as data, so that a snippet can prove that it finds what it looks for. */
export type Check = (files: readonly SourceFile[]) => Finding[];

export function showFinding({ path, line, message }: Finding): string {
  return `${path}:${line} ${message}`;
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

/** The last one stays: checks that look at the same file one after the other parse it once. */
let last: { readonly file: SourceFile; readonly source: ts.SourceFile } | undefined;

export function parse(file: SourceFile): ts.SourceFile {
  if (last?.file !== file)
    last = { file, source: ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true) };
  return last.source;
}

export function findingAt(source: ts.SourceFile, position: number, message: string): Finding {
  return { path: source.fileName, line: source.getLineAndCharacterOfPosition(position).line + 1, message };
}

/** Calls `visit` for the node and everything in it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}
