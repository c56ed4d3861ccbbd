import type { ToolSystemOptions } from '../agent-types.js';
import type { LoadedSettings } from '../settings/load-settings.js';

/** What settings say of telemetry; nothing where they say nothing. Pure. */
export function telemetryOption({ values }: LoadedSettings): Pick<ToolSystemOptions, 'telemetry'> {
  const enabled = values['telemetry.enabled']?.value;
  const endpoint = values['telemetry.endpoint']?.value;
  const headers = values['telemetry.headers']?.value;
  const content = values['telemetry.content']?.value;
  const seconds = values['telemetry.metricsIntervalSeconds']?.value;
  if (enabled === undefined && endpoint === undefined) return {};
  return {
    telemetry: {
      ...(enabled !== undefined && { enabled }),
      ...(endpoint !== undefined && { endpoint }),
      ...(headers !== undefined && { headers }),
      ...(content !== undefined && { content }),
      ...(seconds !== undefined && { metricsIntervalSeconds: seconds }),
    },
  };
}
