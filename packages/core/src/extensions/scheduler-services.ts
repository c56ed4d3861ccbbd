import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { CallHooks } from '../hooks/call-hooks.js';
import { RuleCompiler } from '../policy/compile-rules.js';
import type { Grants } from '../policy/grants.js';
import type { Rule } from '../policy/rule.js';
import { UntrustedContent } from '../policy/untrusted-content.js';
import type { PolicyContext } from '../policy/verdict.js';
import type { Approver } from '../scheduler/approval.js';
import type { Secrets } from '../secrets/secrets.js';
import { DEFAULT_OUTPUT_LIMITS, type Caller, type SchedulerServices } from '../scheduler/services.js';

export interface ServiceParts {
  readonly options: {
    readonly tenonHome: string;
    readonly userHome: string;
    readonly rules: readonly Rule[];
    readonly approver?: Approver;
    readonly web?: { readonly askAfterUntrusted?: boolean };
  };
  readonly config: Config;
  readonly grants: Grants;
  /** Canonical. */
  readonly roots: readonly string[];
  readonly temp: string;
  readonly caller: () => Caller;
  readonly hooks: CallHooks | undefined;
  /** Absent where nothing is hidden. */
  readonly secrets: Secrets | undefined;
}

/** What the calls of the agent go by that talks with the person. */
export function schedulerServices({
  options,
  config,
  grants,
  roots,
  temp,
  caller,
  hooks,
  secrets,
}: ServiceParts): SchedulerServices {
  const controlFolders = [realpathSync.native(options.tenonHome)];
  const own = config.getWebSearch()?.ownAddresses;
  const untrusted = options.web?.askAfterUntrusted === false ? undefined : new UntrustedContent(own);
  const { hide, hideIn } = secrets ?? { hide: (text: string) => text, hideIn: <T>(value: T) => value };
  return {
    registry: config.getToolRegistry(),
    gate: config.getWorkspaceGate(),
    policyContext: (): PolicyContext => ({
      mode: config.getApprovalMode(),
      rules: [...options.rules, ...grants.rules()],
      roots,
      home: options.userHome,
      controlFolders,
      skillFolders: config.getSkills().calledFolders(),
      ...(untrusted?.state !== undefined && { untrusted: untrusted.state }),
    }),
    ...(untrusted !== undefined && { untrusted }),
    ruleCompiler: new RuleCompiler(),
    shell: config.getShellOptions().program,
    ...(hooks !== undefined && { hooks }),
    ...(secrets !== undefined && { secrets }),
    grant: async (rules, scope, given) => {
      const call = hide(given);
      return scope === 'session' ? grants.addSession(rules, call) : grants.addProject(hideIn(rules), call);
    },
    approver: hidingApprover(options.approver, secrets),
    spill: (text) => spillTo(temp, hide(text)),
    limits: DEFAULT_OUTPUT_LIMITS,
    toldRepairs: new Set(),
    caller,
  };
}

/** Whoever is asked sees placeholders. */
function hidingApprover(approver: Approver | undefined, secrets: Secrets | undefined): Approver | undefined {
  if (approver === undefined || secrets === undefined) return approver;
  return (request, signal) => approver(secrets.hideIn(request), signal);
}

async function spillTo(folder: string, text: string): Promise<string> {
  const file = join(folder, `output-${randomBytes(6).toString('hex')}.txt`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}
