/** Under these names hooks find the first folder of the workspace. */
export const PROJECT_VARIABLES: readonly string[] = ['TENON_PROJECT_DIR', 'CLAUDE_PROJECT_DIR', 'QWEN_PROJECT_DIR'];

/** The variables for a hook that runs in this folder. */
export function projectVariables(folder: string): Record<string, string> {
  return Object.fromEntries(PROJECT_VARIABLES.map((name) => [name, folder]));
}
