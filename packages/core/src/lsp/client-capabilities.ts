import type { ClientCapabilities } from 'vscode-languageserver-protocol';

const SYMBOL_KINDS = Array.from({ length: 26 }, (_, index) => index + 1) as NonNullable<
  NonNullable<NonNullable<ClientCapabilities['workspace']>['symbol']>['symbolKind']
>['valueSet'];

const LINKS = { dynamicRegistration: true, linkSupport: true };
const PLAIN = { dynamicRegistration: true };

/** All that this client understands. Nothing is claimed that it does not do. */
export const CLIENT_CAPABILITIES: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'], staleRequestSupport: { cancel: true, retryOnContentModified: [] } },
  window: {
    workDoneProgress: true,
    showMessage: { messageActionItem: { additionalPropertiesSupport: false } },
    showDocument: { support: false },
  },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: {
      documentChanges: true,
      resourceOperations: ['create', 'rename', 'delete'],
      failureHandling: 'abort',
      normalizesLineEndings: false,
      changeAnnotationSupport: { groupsOnLabel: false },
    },
    didChangeConfiguration: PLAIN,
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: {
      dynamicRegistration: true,
      ...(SYMBOL_KINDS !== undefined && { symbolKind: { valueSet: SYMBOL_KINDS } }),
      tagSupport: { valueSet: [1] },
      resolveSupport: { properties: ['location.range'] },
    },
    executeCommand: PLAIN,
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { dynamicRegistration: true, didSave: true },
    publishDiagnostics: {
      relatedInformation: true,
      versionSupport: true,
      codeDescriptionSupport: true,
      dataSupport: true,
      tagSupport: { valueSet: [1, 2] },
    },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    hover: { dynamicRegistration: true, contentFormat: ['markdown', 'plaintext'] },
    definition: LINKS,
    declaration: LINKS,
    typeDefinition: LINKS,
    implementation: LINKS,
    references: PLAIN,
    documentSymbol: {
      dynamicRegistration: true,
      hierarchicalDocumentSymbolSupport: true,
      ...(SYMBOL_KINDS !== undefined && { symbolKind: { valueSet: SYMBOL_KINDS } }),
      tagSupport: { valueSet: [1] },
    },
    callHierarchy: PLAIN,
    rename: {
      dynamicRegistration: true,
      prepareSupport: true,
      prepareSupportDefaultBehavior: 1,
      honorsChangeAnnotations: false,
    },
    codeAction: {
      dynamicRegistration: true,
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit', 'command'] },
      honorsChangeAnnotations: false,
      codeActionLiteralSupport: {
        codeActionKind: {
          valueSet: [
            '',
            'quickfix',
            'refactor',
            'refactor.extract',
            'refactor.inline',
            'refactor.rewrite',
            'source',
            'source.organizeImports',
            'source.fixAll',
          ],
        },
      },
    },
  },
};
