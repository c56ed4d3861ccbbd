import ts from 'typescript';
import type { SourceFile } from '../source-files.js';
import { findingAt, isTest, parse, walk, type Finding } from './finding.js';

const FILE_LINES = 400;
const TOOL_LINES = 250;
const FUNCTION_LINES = 80;
const TOOLS = 'packages/core/src/tools/';

/** Raw lines of files and functions, comments and blank lines included. Tests may be as long as they need. */
export function checkSizes(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => [...fileFindings(file), ...functionFindings(file)]);
}

function fileFindings({ path, text }: SourceFile): Finding[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const limit = path.startsWith(TOOLS) ? TOOL_LINES : FILE_LINES;
  return lines <= limit
    ? []
    : [{ path, line: limit + 1, message: `The file has ${lines} lines; ${limit} are allowed.` }];
}

function functionFindings(file: SourceFile): Finding[] {
  const source = parse(file);
  const findings: Finding[] = [];
  walk(source, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
    const lines = source.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1;
    if (lines <= FUNCTION_LINES) return;
    findings.push(
      findingAt(source, node.getStart(), `The function has ${lines} lines; ${FUNCTION_LINES} are allowed.`),
    );
  });
  return findings;
}
