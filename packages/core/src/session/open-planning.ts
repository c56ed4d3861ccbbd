import type { PlanningOptions } from '../planning/planning.js';
import { planPlace } from '../planning/save-plan.js';

export interface PlanningSettings {
  readonly userHome: string;
  /** Whoever is asked; only whether there is anybody counts here. */
  readonly approver?: unknown;
  readonly plans?: { readonly directory?: string };
}

/** What planning goes by in one project. `standard`: where plans go unless the settings say otherwise. Pure. */
export function planningOf(
  { userHome, approver, plans }: PlanningSettings,
  standard: string,
  roots: readonly string[],
): PlanningOptions {
  const [root = standard] = roots;
  return {
    canAsk: approver !== undefined,
    place: planPlace(plans?.directory, { standard, root, home: userHome }),
  };
}
