import type { INodeProperties } from 'n8n-workflow';
import { DEFAULT_TIMEOUT_MS } from '../run/connection';

/* The fields of Request Options that triggers have, too. */

export const ignoreSslIssues: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};

export const proxyField: INodeProperties = {
	displayName: 'Proxy',
	name: 'proxy',
	type: 'string',
	default: '',
	placeholder: 'e.g. http://user:password@myproxy:3128',
};

export const timeoutField: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	default: DEFAULT_TIMEOUT_MS,
	typeOptions: { minValue: 1 },
	description: 'How long an answer may take, in milliseconds',
};

/** Request Options, where the Settings tab of all our nodes has them. */
export const requestOptionsField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options,
});

/** The Request Options of triggers, which retry as they poll. */
export const triggerRequestOptions = requestOptionsField([
	ignoreSslIssues,
	proxyField,
	timeoutField,
]);
