import { isLooserMode, type ApprovalMode } from '../policy/approval-mode.js';
import type { ToolRuntime } from '../runtime.js';
import { Failure } from '../util/failure.js';

/** What a subagent has of its own. */
export type OwnServices = Pick<ToolRuntime, 'getSubagents' | 'getJobs'>;

/** What belongs to a workspace. */
const OF_PLACE: ReadonlySet<PropertyKey> = new Set<keyof ToolRuntime>([
  'getWorkspaceContext',
  'getFileService',
  'getFileSystemService',
  'getWorkspaceGate',
  'getShownTexts',
  'getFileChanges',
  'getFileVersions',
  'getLineIndexes',
  'getSearchIndex',
  'getReadRules',
  'isTrustedRepository',
  'getCommandRunner',
  'getMemory',
  'getSkills',
  'getLanguageServers',
  'getSandboxStatus',
  'getTempDir',
  'getTargetDir',
]);

export interface Narrowing {
  readonly above: ToolRuntime;
  /** The workspace, where it is not that of the agent above. */
  readonly place: ToolRuntime | undefined;
  /** What its definition says. */
  readonly mode: ApprovalMode | undefined;
  readonly own: OwnServices;
}

/** The services of an agent as one below it has them, for whose tools they are. Its mode is never looser than that above. */
export function narrowRuntime({ above, place, mode, own }: Narrowing): ToolRuntime {
  const all: Partial<ToolRuntime> = {
    ...own,
    getApprovalMode: () => stricter(above.getApprovalMode(), mode),
    setApprovalMode: () => {
      throw new Failure(
        'mode_not_permitted',
        'A subagent works in the mode that it was given; it cannot choose another.',
      );
    },
  };
  return new Proxy(above, {
    get: (_target, key): unknown => {
      const of = key in all ? all : place !== undefined && OF_PLACE.has(key) ? place : above;
      const value: unknown = Reflect.get(of, key, of);
      // Its own fields are private: they are found on itself only.
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}

function stricter(above: ApprovalMode, own: ApprovalMode | undefined): ApprovalMode {
  return own === undefined || isLooserMode(own, above) ? above : own;
}
