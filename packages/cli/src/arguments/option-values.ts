import { nearestName, parseApprovalMode, type ApprovalMode } from '@tenon/core';
import { ExitCode, ExitFailure } from '../exit-codes.js';

export function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw usage(`--http must be a port from 0 to 65535, not "${text}".`);
}

export function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const meant = nearestName(value, choices);
  throw usage(
    `--${name} must be one of ${choices.join(', ')}, not "${value}".${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
  );
}

export function modeOf(name: string, text: string | undefined): ApprovalMode | undefined {
  if (text === undefined) return undefined;
  return parseApprovalMode(text) ?? oneOf(name, text, ['plan', 'default', 'auto_edit', 'yolo'] as const);
}

export function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return value;
  throw usage(`--${name} must be a whole number above 0, not "${text}".`);
}

/** A decimal number. */
export function amount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && Number.isFinite(value) && value > 0) return value;
  throw usage(`--${name} must be a number above 0, such as 2.50, not "${text}".`);
}

export function usage(message: string): ExitFailure {
  return new ExitFailure(ExitCode.USAGE, message);
}
