import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createContactOnChannel } from '../../nodes/WorkspaceMessaging/contract/contact';
import { conversationApi } from '../../nodes/WorkspaceMessaging/contract/conversation';
import type { Endpoint } from '../../nodes/WorkspaceMessaging/contract/endpoint';
import { errorLogApi } from '../../nodes/WorkspaceMessaging/contract/errorLog';
import { mediaApi } from '../../nodes/WorkspaceMessaging/contract/media';
import { pathSubjects } from '../../nodes/WorkspaceMessaging/contract/endpoint';
import { noteApi } from '../../nodes/WorkspaceMessaging/contract/note';
import { templateApi } from '../../nodes/WorkspaceMessaging/contract/template';
import { undocumentedApi } from '../../nodes/WorkspaceMessaging/contract/undocumented';
import { webhookApi } from '../../nodes/WorkspaceMessaging/contract/webhook';
import { referenceEndpoints } from '../../sandbox/endpoints';

const documented: Array<[string, Endpoint]> = Object.entries(referenceEndpoints);
const others: Array<[string, Endpoint]> = Object.entries({
	...conversationApi,
	createContactOnChannel,
	...errorLogApi,
	...mediaApi,
	...noteApi,
	...templateApi,
	...undocumentedApi,
	...webhookApi,
});

/** Method and path with `{}` for every parameter: the reference gives some of them other names. */
const addressOf = (method: string, address: string) =>
	`${method} ${address.replace(/\{\w+\}/g, '{}')}`;

const reference = readFileSync(path.join(__dirname, '../../docs/api-reference.md'), 'utf8');
const [shown, named] = reference.split('### 4.6');
const addressesIn = (text: string) =>
	[...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/api\/v1\/[\w{}/-]*)/g)].map(
		([, method, address]) => addressOf(method, address),
	);
const shownAddresses = addressesIn(shown);

describe('The contract', () => {
	test.each(documented)(
		'has a path of the reference for %s, or marks it as undocumented',
		(_, { method, path: address, undocumented: mark }) => {
			expect(shownAddresses.includes(addressOf(method, address))).toBe(mark === undefined);
		},
	);

	test('has every path of the reference', () => {
		const known = documented.map(([, { method, path: address }]) => addressOf(method, address));

		expect(
			[...shownAddresses, ...addressesIn(named)].filter((address) => !known.includes(address)),
		).toEqual([]);
	});

	test.each(others)(
		'marks %s as undocumented, unless the reference has its path',
		(_, { method, path: address, undocumented: mark }) => {
			expect(shownAddresses.includes(addressOf(method, address))).toBe(mark === undefined);
		},
	);

	test.each([...documented, ...others])(
		'has words for what the path of %s names',
		(_, { path: address }) => {
			const names = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			expect(names.filter((name) => !(name in pathSubjects))).toEqual([]);
		},
	);
});
