import type { ServerSpec } from './server-spec.js';

const TYPESCRIPT_FILES = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascriptreact',
};

/**
 * `tsserver` watches the disk itself. `useClientFileWatcher` would have it hear of nothing but our changes: no `npm install`, no
 * other editor. Of a file that was deleted and came back (an undo) it was seen to hear nothing in seconds.
 */
const OF_TSSERVER = {
  losesReturned: { command: 'typescript.tsserverRequest', arguments: ['reloadProjects'] },
} as const;

/** The servers that are used when they are installed; of one language, the first that is. */
export const KNOWN_SERVERS: readonly ServerSpec[] = [
  {
    name: 'typescript-language-server',
    language: 'typescript',
    files: TYPESCRIPT_FILES,
    command: 'typescript-language-server',
    args: ['--stdio'],
    typescript: 'tsserver',
    initializationOptions: {
      hostInfo: 'tenon',
      // With two servers the quick one answers while the project loads, and wrongly: a definition is the import itself.
      tsserver: { useSyntaxServer: 'never' },
      // Otherwise it runs `npm install` for types that it guesses.
      disableAutomaticTypingAcquisition: true,
      // Otherwise a rename from a use writes `import { old as new }` and stops there.
      preferences: { providePrefixAndSuffixTextForRename: false, allowRenameOfImportPath: false },
    },
    install: 'npm install --save-dev typescript-language-server typescript@6',
    quirks: OF_TSSERVER,
  },
  {
    name: 'typescript',
    language: 'typescript',
    files: TYPESCRIPT_FILES,
    command: 'tsc',
    args: ['--lsp', '--stdio'],
    typescript: 'native',
    // As above: without it a rename leaves an alias behind.
    settings: {
      'js/ts': { preferences: { useAliasesForRenames: false } },
      typescript: { preferences: { useAliasesForRenames: false } },
    },
    install: 'npm install --save-dev typescript@7',
  },
  {
    // No language server, but all answers that matter: it is spoken to through an adapter.
    name: 'tsserver',
    language: 'typescript',
    files: TYPESCRIPT_FILES,
    command: 'tsserver',
    args: ['--disableAutomaticTypingAcquisition', '--suppressDiagnosticEvents', '--locale', 'en'],
    typescript: 'compiler',
    install: 'npm install --save-dev typescript',
    quirks: OF_TSSERVER,
  },
  {
    name: 'pyright',
    language: 'python',
    files: { '.py': 'python', '.pyi': 'python' },
    command: 'pyright-langserver',
    args: ['--stdio'],
    install: 'npm install --save-dev pyright',
    quirks: {
      registersPull: true,
      never: { 'workspace/diagnostic': 'pyright never answers it' },
    },
  },
  {
    name: 'gopls',
    language: 'go',
    files: { '.go': 'go', 'go.mod': 'go.mod', 'go.work': 'go.work' },
    command: 'gopls',
    args: [],
    rootMarkers: ['go.work', 'go.mod'],
    install: 'go install golang.org/x/tools/gopls@latest',
  },
  {
    name: 'rust-analyzer',
    language: 'rust',
    files: { '.rs': 'rust' },
    command: 'rust-analyzer',
    args: [],
    rootMarkers: ['Cargo.toml'],
    install: 'rustup component add rust-analyzer',
  },
  {
    name: 'clangd',
    language: 'c',
    files: {
      '.c': 'c',
      '.h': 'c',
      '.cc': 'cpp',
      '.cpp': 'cpp',
      '.cxx': 'cpp',
      '.hh': 'cpp',
      '.hpp': 'cpp',
      '.hxx': 'cpp',
      '.m': 'objective-c',
      '.mm': 'objective-cpp',
      '.cu': 'cuda-cpp',
    },
    command: 'clangd',
    // Its log is one line for each request, and nobody reads it.
    args: ['--log=error'],
    install: 'apt-get install clangd',
    // After a change in a header the files that include it keep their old diagnostics, even when they are saved.
    quirks: { forgetsDependents: true },
  },
  {
    name: 'bash-language-server',
    language: 'shell',
    files: { '.sh': 'shellscript', '.bash': 'shellscript' },
    command: 'bash-language-server',
    args: ['start'],
    install: 'npm install --save-dev bash-language-server',
    // It publishes an empty list then, even for a file with an error in its syntax.
    quirks: {
      noDiagnostics: {
        logSays: /ShellCheck: disabling linting/,
        reason: 'it needs shellcheck, which is not installed',
      },
    },
  },
  {
    name: 'vscode-json-language-server',
    language: 'json',
    files: { '.json': 'json', '.jsonc': 'jsonc', 'tsconfig.json': 'jsonc', 'jsconfig.json': 'jsonc' },
    command: 'vscode-json-language-server',
    args: ['--stdio'],
    // Schemas over the network are not fetched.
    initializationOptions: { handledSchemaProtocols: ['file'], provideFormatter: false },
    // Settings that do not say so switch the checks off.
    settings: { json: { validate: { enable: true } } },
    install: 'npm install --save-dev vscode-langservers-extracted',
  },
  {
    name: 'vscode-html-language-server',
    language: 'html',
    files: { '.html': 'html', '.htm': 'html' },
    command: 'vscode-html-language-server',
    args: ['--stdio'],
    install: 'npm install --save-dev vscode-langservers-extracted',
  },
  {
    name: 'vscode-css-language-server',
    language: 'css',
    files: { '.css': 'css', '.scss': 'scss', '.less': 'less' },
    command: 'vscode-css-language-server',
    args: ['--stdio'],
    // As for JSON.
    settings: {
      css: { validate: true, lint: {} },
      scss: { validate: true, lint: {} },
      less: { validate: true, lint: {} },
    },
    install: 'npm install --save-dev vscode-langservers-extracted',
  },
  {
    name: 'yaml-language-server',
    language: 'yaml',
    files: { '.yaml': 'yaml', '.yml': 'yaml' },
    command: 'yaml-language-server',
    args: ['--stdio'],
    // The catalogue of schemas would be fetched from the network.
    settings: { yaml: { schemaStore: { enable: false }, validate: true } },
    install: 'npm install --save-dev yaml-language-server',
    // It answers with what it knows of another file, or with nothing.
    quirks: { never: { 'textDocument/definition': 'yaml-language-server does not answer it reliably' } },
  },
];

/** Names of the programs of known servers. */
export const SERVER_COMMANDS: readonly string[] = [...new Set(KNOWN_SERVERS.map(({ command }) => command))];
