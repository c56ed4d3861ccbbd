import { ApprovalMode } from '../packages/core/src/policy/approval-mode.js';

/** For an agent or a tool system that asks nobody; `home` is Tenon's and the person's. */
export const yoloOptions = (root: string, home: string) => ({
  roots: [root],
  tenonHome: home,
  userHome: home,
  approvalMode: ApprovalMode.YOLO,
  rules: [],
  environment: process.env,
});
