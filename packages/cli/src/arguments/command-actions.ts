import type { CommandName } from './option-table.js';

/** The words behind a command's name, each with a sentence, for the help of that command. */
export const COMMAND_ACTIONS: Partial<Readonly<Record<CommandName, readonly (readonly [string, string])[]>>> = {
  tools: [
    ['tenon tools', 'List the tools.'],
    ['tenon tools show NAME', 'Show one tool, or those of a server, with parameters.'],
    ['tenon tools check FILE', 'Load the tools of a file and try them out.'],
  ],
  policy: [
    ["tenon policy explain 'CALL'", 'Show the effects of a command or call, and which rule decides.'],
    ['tenon policy test', 'Check the examples that rules carry.'],
    ['tenon policy lint', 'Warn about rules that cover less or more than they seem to.'],
    ['tenon policy simulate SESSION', 'Judge the calls of a session again by the rules of today.'],
    ['tenon policy grants', 'List what was allowed with "always".'],
    ['tenon policy revoke RULE|N', 'Take a grant back; --all takes back every one.'],
  ],
  mcp: [
    ['tenon mcp list', 'List the configured servers; starts none.'],
    ['tenon mcp get NAME', 'Show the definition of one server.'],
    ['tenon mcp add NAME -- COMMAND', 'Add a server that is a program.'],
    ['tenon mcp add NAME URL', 'Add a remote server.'],
    ['tenon mcp add-json NAME JSON', 'Add a server by its JSON.'],
    ['tenon mcp import [TOOL|FILE [NAME]]', 'Add servers that other tools have configured.'],
    ['tenon mcp remove NAME', 'Remove a server.'],
    ['tenon mcp enable|disable NAME', 'Use a server, or not.'],
    ['tenon mcp status [NAME]', 'Connect the servers and show their state.'],
    ['tenon mcp test NAME', 'Connect one server and show what it offers.'],
    ['tenon mcp accept [NAME [TOOL]]', 'Show changed tools of servers, or let them in.'],
    ['tenon mcp login|logout NAME', 'Sign in to a remote server, or forget the sign-in.'],
    ['tenon mcp serve', "Offer Tenon's own tools to other clients."],
  ],
  acp: [
    ['tenon acp', 'Run as the agent of an editor; the editor starts this.'],
    ['tenon acp config', 'Show in a terminal whether a model is configured, and how to get one.'],
  ],
  skills: [
    ['tenon skills', 'List the skills.'],
    ['tenon skills show NAME', 'Show one skill.'],
    ['tenon skills check', 'Show what is wrong with some.'],
  ],
  agents: [
    ['tenon agents', 'List the kinds of agents.'],
    ['tenon agents show NAME', 'Show one of them.'],
    ['tenon agents check', 'Show what is wrong with some.'],
  ],
  extensions: [
    ['tenon extensions', 'List the extensions.'],
    ['tenon extensions show NAME', 'Show one extension.'],
    ['tenon extensions check FOLDER', 'Show what a folder would bring.'],
    ['tenon extensions install FOLDER', 'Copy a folder in as an extension.'],
    ['tenon extensions uninstall NAME', 'Remove an extension.'],
  ],
  secrets: [
    ['tenon secrets', 'List which secrets are hidden; never a value.'],
    ['tenon secrets explain NAME', 'Show why a variable is a secret, or is not.'],
  ],
  audit: [
    ['tenon audit verify [SESSION]', 'Check that a session log is whole and unchanged.'],
    ['tenon audit show [SESSION]', 'Show what was done in a session.'],
  ],
};
