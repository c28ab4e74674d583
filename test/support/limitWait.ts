import type { INodeParameters } from 'n8n-workflow';

/** Sets how long a question waits, beside other options of it. */
export const limitWait = (
	values: INodeParameters,
	options: INodeParameters = {},
): { options: INodeParameters } => ({ options: { ...options, limitWaitTime: { values } } });
