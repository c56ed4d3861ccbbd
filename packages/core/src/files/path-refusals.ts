import type { Refusal } from './workspace-types.js';

/** Roots that are named; more would hide what is to be done. */
const MOST_ROOTS = 3;

/** The specification's words (S60–S63) begin each of them; then comes the next step. */
export const pathRefusals = {
  notInWorkspace: (path: string, roots: readonly string[]): Refusal => {
    const places = roots.slice(0, MOST_ROOTS).join(' or ');
    return {
      code: 'path_not_in_workspace',
      message: `Path must be within workspace: ${path}. Give one in ${places}.`,
    };
  },
  ignored: (path: string, fileName: string): Refusal => ({
    code: 'path_ignored',
    message: `Path is ignored by ${fileName}: ${path}. It is kept from you: go on without it, or ask the user.`,
  }),
  /** By the setting, not by the ignore file alone. */
  unread: (path: string): Refusal => ({
    code: 'path_ignored',
    message: `Path is ignored by git: ${path}. The setting files.readGitIgnored is false, so nothing that git ignores is read: go on without it, or ask the user.`,
  }),
  /** `inWorkspace`: what the path is there. */
  notAbsolute: ({ code, message }: Refusal, root: string, inWorkspace: string | undefined): Refusal => {
    const step = inWorkspace === undefined ? `Begin it with ${root}/.` : `In the workspace it is ${inWorkspace}.`;
    return { code, message: `${message}. ${step}` };
  },
  isFolder: (path: string): Refusal => ({
    code: 'target_is_directory',
    message: `Path is a folder, not a file: ${path}. Name a file in it.`,
  }),
} as const;
