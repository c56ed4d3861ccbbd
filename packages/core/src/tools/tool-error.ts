import { Failure } from '../util/failure.js';

/** The codes a tool's error may carry (S40, K8). An embedder may add its own lower_snake words. */
export const ToolErrorType = {
  INVALID_TOOL_PARAMS: 'invalid_tool_params',
  TOOL_NOT_REGISTERED: 'tool_not_registered',
  EXECUTION_FAILED: 'execution_failed',
  EXECUTION_DENIED: 'execution_denied',
  CANCELLED: 'cancelled',
  FILE_NOT_FOUND: 'file_not_found',
  FILE_CHANGED: 'file_changed',
  FILE_CHANGED_SINCE_READ: 'file_changed_since_read',
  FILE_NOT_READ: 'file_not_read',
  FILE_BUSY: 'file_busy',
  FILE_TOO_LARGE: 'file_too_large',
  FILE_WRITE_FAILURE: 'file_write_failure',
  READ_CONTENT_FAILURE: 'read_content_failure',
  BINARY_FILE: 'binary_file',
  NOT_A_REGULAR_FILE: 'not_a_regular_file',
  TARGET_IS_DIRECTORY: 'target_is_directory',
  PATH_IS_NOT_A_DIRECTORY: 'path_is_not_a_directory',
  PATH_NOT_ABSOLUTE: 'path_not_absolute',
  PATH_NOT_IN_WORKSPACE: 'path_not_in_workspace',
  PATH_IGNORED: 'path_ignored',
  INVALID_PATH: 'invalid_path',
  PERMISSION_DENIED: 'permission_denied',
  NO_SPACE_LEFT: 'no_space_left',
  TOO_MANY_OPEN_FILES: 'too_many_open_files',
  READ_ONLY_FILE_SYSTEM: 'read_only_file_system',
  ATTEMPT_TO_CREATE_EXISTING_FILE: 'attempt_to_create_existing_file',
  EDIT_NO_OCCURRENCE_FOUND: 'edit_no_occurrence_found',
  EDIT_EXPECTED_OCCURRENCE_MISMATCH: 'edit_expected_occurrence_mismatch',
  EDIT_NO_CHANGE: 'edit_no_change',
  INVALID_PATTERN: 'invalid_pattern',
  GREP_EXECUTION_ERROR: 'grep_execution_error',
  GLOB_EXECUTION_ERROR: 'glob_execution_error',
  SHELL_EXECUTE_ERROR: 'shell_execute_error',
  TIMED_OUT: 'timed_out',
  OUTPUT_TRUNCATED: 'output_truncated',
} as const;

/** A known code, or any other string (document A returns `'EXECUTION_ERROR'`). */
export type ToolErrorType = (typeof ToolErrorType)[keyof typeof ToolErrorType] | (string & {});

/** What a tool throws. It becomes `ToolResult.error` once, in `RunInvocation.execute`. */
export class ToolError extends Failure {
  readonly type: ToolErrorType;

  constructor(type: ToolErrorType, message: string, options?: ErrorOptions) {
    super(type, message, options);
    this.name = 'ToolError';
    this.type = type;
  }
}
