import type { EditPlan, EditRequest } from '../../packages/core/src/editing/edit-plan.js';
import type { EditCase } from './read-cases.mjs';

export type Verdict = 'landed' | 'refused' | 'reason' | 'missed' | 'wrong';
export type Planner = (request: EditRequest) => EditPlan;

export interface Score extends EditCase {
  readonly verdict: Verdict;
  readonly preferred: boolean;
  /** What came of it, in a few words. */
  readonly got: string;
  readonly content?: string;
  readonly milliseconds: number;
  readonly causeNamed: boolean | undefined;
  readonly repaired: boolean | undefined;
}

export interface Sums extends Readonly<Record<Verdict, number>> {
  readonly cases: number;
  readonly shouldLand: number;
  readonly didLand: number;
  readonly suggested: number;
  readonly repaired: number;
  readonly causes: number;
  readonly causesNamed: number;
  readonly milliseconds: number;
}

export const VERDICTS: readonly Verdict[];
export function scoreCorpus(cases: readonly EditCase[], plan: Planner): Score[];
export function scoreCase(one: EditCase, plan: Planner): Score;
export function sumUp(scores: readonly Score[]): Sums;
export function sumByGroup(scores: readonly Score[]): (Sums & { readonly group: string })[];
