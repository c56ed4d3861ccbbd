/** Where a topic of the specification's site is covered. */
export interface Topic {
  readonly topic: string;
  readonly page: string;
  /** A heading of that page, or a word of it. */
  readonly heading: string;
}

/** S139: what the specification's site says of the command line. */
export const COMMAND_LINE_TOPICS: readonly Topic[] = [
  { topic: 'overview', page: 'docs/README.md', heading: 'Documentation' },
  { topic: 'overview', page: 'docs/guide/command-line.md', heading: 'The command line' },
  { topic: 'commands', page: 'docs/reference/commands.md', heading: 'Commands of a session' },
  { topic: 'commands', page: 'docs/guide/terminal.md', heading: 'Commands' },
  { topic: 'configuration guide', page: 'docs/reference/settings.md', heading: 'Settings' },
  { topic: 'configuration guide', page: 'docs/guide/command-line.md', heading: 'Models' },
  { topic: 'authentication', page: 'docs/guide/sign-in.md', heading: 'sign' },
  { topic: 'OpenAI authentication', page: 'docs/guide/sign-in.md', heading: 'OpenAI' },
  { topic: 'token caching', page: 'docs/guide/token-caching.md', heading: 'caching' },
  { topic: 'themes', page: 'docs/guide/themes.md', heading: 'Themes' },
  { topic: 'tutorials', page: 'docs/guide/first-hour.md', heading: 'The first hour' },
  { topic: 'welcome back', page: 'docs/guide/sessions.md', heading: 'Welcome back' },
];

/** S142: what it says beside the command line and the tools. */
export const SITE_TOPICS: readonly Topic[] = [
  { topic: 'architecture', page: 'docs/architecture.md', heading: 'Architecture' },
  { topic: 'deployment', page: 'docs/guide/install.md', heading: 'install' },
  { topic: 'checkpointing', page: 'docs/guide/files-and-undo.md', heading: 'Taking back' },
  { topic: 'checkpointing', page: 'docs/guide/sessions.md', heading: 'Going back' },
  { topic: 'extension', page: 'docs/guide/extensions.md', heading: 'Extensions' },
  { topic: 'IDE integration', page: 'docs/guide/editors.md', heading: 'Editors' },
  { topic: 'telemetry', page: 'docs/guide/telemetry.md', heading: 'Telemetry and statistics' },
  { topic: 'npm packaging', page: 'docs/guide/install.md', heading: 'packages' },
  { topic: 'ignore file', page: 'docs/guide/ignore-files.md', heading: 'Ignore files' },
  { topic: 'integration tests', page: 'docs/guide/testing.md', heading: 'Integration tests' },
  { topic: 'keyboard shortcuts', page: 'docs/reference/keys.md', heading: 'Keys' },
  { topic: 'sandbox', page: 'docs/guide/sandbox.md', heading: 'The sandbox' },
  { topic: 'issue and pull request automation', page: 'docs/guide/automation.md', heading: 'In CI' },
  { topic: 'troubleshooting', page: 'docs/guide/troubleshooting.md', heading: 'Troubleshooting' },
  { topic: 'terms and privacy', page: 'docs/guide/privacy.md', heading: 'Privacy and terms' },
  { topic: 'uninstall', page: 'docs/guide/install.md', heading: 'Removing' },
  { topic: 'subagents', page: 'docs/guide/subagents.md', heading: 'Subagents' },
  { topic: 'example proxy script', page: 'examples/proxy/README.md', heading: 'proxy' },
];
