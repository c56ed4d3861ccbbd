import { ApprovalMode } from '@tenon/core';

const ORDER = [ApprovalMode.PLAN, ApprovalMode.DEFAULT, ApprovalMode.AUTO_EDIT, ApprovalMode.YOLO];

/** The next mode that can be set; `set` says whether it could. The one in force where no other can. */
export function nextMode(now: ApprovalMode, set: (mode: ApprovalMode) => boolean): ApprovalMode {
  const place = ORDER.indexOf(now);
  const others = [...ORDER.slice(place + 1), ...ORDER.slice(0, place)];
  return others.find((mode) => set(mode)) ?? now;
}
