/** What the tool does with servers: loaded when it is first called, and not with the tools. */
export { actionsAnswer, chosenAction, editsOfAction, offeredActions, organizeImports } from './code-actions.js';
export { askAboutSymbol, outline } from './queries.js';
export { renameSymbol } from './rename-symbol.js';
export { checkAll, checkOne, findSymbols, representatives } from './workspace-queries.js';
export { planWorkspaceEdit } from './workspace-edit.js';
