import type { IBinaryKeyData, INodeParameters } from 'n8n-workflow';
import { by, fromItem } from '../../support/engine/helpers';
import { testWorkspace, type TestWorkspace } from '../../support/engine/workspace';
import type { Contact } from '../../../sandbox/records';
import type { WorkspaceOptions } from '../../../sandbox/options';

/** The file of an input item, in the field "data". */
export const fileOf = (
	content: string | Buffer,
	fileName = 'people.csv',
	mimeType = 'text/csv',
): IBinaryKeyData => ({
	data: { data: Buffer.from(content).toString('base64'), fileName, mimeType },
});

/**
 * A workspace of a newer service, which finishes imports at once unless `importMs` says otherwise:
 * with the ID of each of its channels by type, and the parameters of an import into one of them.
 */
export async function newerWorkspace(options: WorkspaceOptions = {}) {
	const test = await testWorkspace({ contacts: 0, service: 'newer', importMs: 0, ...options });
	const { channels } = await test.workspace.state();
	const inbox = (type: string) => channels.find(({ channel }) => channel === type)!.id;
	const into = (type: string, source: string, more: INodeParameters = {}): INodeParameters => ({
		resource: 'contact',
		operation: 'import',
		source,
		// The panel shows Channel Type only if the channel is entered by its ID.
		inboxId: by('channel' in more ? 'id' : 'list', inbox(type)),
		...more,
	});
	return { ...test, inbox, into };
}

/** The requests that started an import. */
export const importsIn = async ({ workspace }: Pick<TestWorkspace, 'workspace'>) =>
	(await workspace.journal()).requests.filter(({ operation }) => operation === 'importContacts');

export const contactsIn = async ({ workspace }: Pick<TestWorkspace, 'workspace'>) =>
	(await workspace.state()).contacts;

export const people = (contacts: Contact[]) =>
	contacts.map(({ firstName, lastName, email, phoneNumber }) => [
		firstName,
		lastName,
		email,
		phoneNumber,
	]);

/** A credential with the country code of national numbers. */
export const germanCredential = ({ workspace }: Pick<TestWorkspace, 'workspace'>) => ({
	baseUrl: workspace.url,
	accessToken: workspace.token,
	defaultCountryCode: '+49',
});

export const leads = [
	{ phone: '0151 12345678', name: 'Zoë "Z"', mail: 'zoe@example.com', city: 'Köln' },
	{ phone: 'nonsense', name: 'Cem', mail: '', city: 'Bonn, Süd' },
	{ phone: '+49 151 12345679', name: 'Ann', mail: 'ann@example.com', city: '' },
];

/** Maps a lead to a contact. */
export const asContacts: INodeParameters = {
	phoneNumber: fromItem('phone'),
	firstName: fromItem('name'),
	email: fromItem('mail'),
};
