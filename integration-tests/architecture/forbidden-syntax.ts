import ts from 'typescript';
import type { SourceFile } from '../source-files.js';
import { findingAt, isTest, parse, walk, type Finding } from './finding.js';

/** Syntax that the house does without. Each entry says what it finds in one node, or nothing. */
const RULES: readonly ((node: ts.Node) => string | undefined)[] = [
  (node) => (node.kind === ts.SyntaxKind.AnyKeyword ? '`any` switches the checker off: use `unknown`.' : undefined),
  (node) => (ts.isNonNullExpression(node) ? 'A non-null `!` asserts what nobody checked.' : undefined),
  (node) =>
    ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node)
      ? node.exclamationToken && 'A definite `!` asserts what nobody checked.'
      : undefined,
  (node) => (ts.isEnumDeclaration(node) ? 'No `enum`: a const object and a type of the same name.' : undefined),
  (node) => (isDefaultExport(node) ? 'No default export: names are found by searching.' : undefined),
  (node) => (isModuleMock(node) ? 'No module mocks: pass what is needed.' : undefined),
];

/** `any`, `!`, `enum`, default exports and module mocks, in sources and tests. */
export function checkSyntax(files: readonly SourceFile[]): Finding[] {
  return files.flatMap((file) => {
    const source = parse(file);
    const findings: Finding[] = [];
    walk(source, (node) => {
      for (const rule of RULES) {
        const message = rule(node);
        if (message !== undefined) findings.push(findingAt(source, node.getStart(), message));
      }
    });
    return findings;
  });
}

/** A package's face lists its names one by one. */
export function checkFaces(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /(^|\/)index\.ts$/.test(path))
    .flatMap((file) => {
      const source = parse(file);
      return source.statements
        .filter((statement) => ts.isExportDeclaration(statement) && !isNamed(statement.exportClause))
        .map((statement) => findingAt(source, statement.getStart(), 'No `export *` from a face: list the names.'));
    });
}

/** Nothing at the top of a module changes: no `let` or `var`, and no collection that starts empty to be filled. Tests are free. */
export function checkModuleState(files: readonly SourceFile[]): Finding[] {
  const sources = files.filter(({ path }) => !isTest(path));
  return sources.flatMap((file) => {
    const source = parse(file);
    return source.statements.filter(ts.isVariableStatement).flatMap((statement) => {
      if (isAmbient(statement)) return [];
      const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
      if (!isConst) return [findingAt(source, statement.getStart(), 'No `let` or `var` at the top of a module.')];
      return statement.declarationList.declarations
        .filter(({ initializer }) => initializer !== undefined && isEmptyCollection(initializer))
        .map((one) =>
          findingAt(source, one.getStart(), 'A collection that starts empty at the top of a module is state.'),
        );
    });
  });
}

function isNamed(clause: ts.NamedExportBindings | undefined): boolean {
  return clause !== undefined && ts.isNamedExports(clause);
}

function isAmbient(statement: ts.VariableStatement): boolean {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) === true;
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true
  );
}

function isModuleMock(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return false;
  const names = new Set(['mock', 'doMock', 'unmock', 'doUnmock', 'hoisted']);
  return /^(vi|vitest|jest)$/.test(node.expression.text) && names.has(node.name.text);
}

function isEmptyCollection(value: ts.Expression): boolean {
  if (ts.isNewExpression(value)) {
    const isCollection = ts.isIdentifier(value.expression) && /^(Weak)?(Map|Set)$/.test(value.expression.text);
    return isCollection && (value.arguments?.length ?? 0) === 0;
  }
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0;
  return ts.isObjectLiteralExpression(value) && value.properties.length === 0;
}
