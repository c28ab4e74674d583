import { choices } from '../nodes/WorkspaceMessaging/contract/limits';
import { newContact, type StoredContact, type StoredValue } from './services/reference/contacts';
import { sequenceOf } from './faults/random';
import { newConversation } from './services/newer/conversations/conversation';
import { sampleTemplates, templateMaker } from './services/newer/templates/seed';
import type { Channel, CollectionName, Collections, UploadedFile } from './records';
import type { WorkspaceOptions } from './options';
import { Workspace } from './workspace';

const firstNames = [
	'Ana',
	'Łukasz',
	'Zoë',
	'Jürgen',
	'Søren',
	'Mária',
	'小明',
	'Олена',
	'José',
	'Çağla',
	'Nguyễn',
	'Þóra',
	'Amélie',
	'Omar',
	'नेहा',
	'Kim',
];
const lastNames = [
	'Müller',
	"O'Neil",
	'García-Núñez',
	'Kowalski',
	'Ångström',
	'Nováková',
	'李',
	'Шевченко',
	'Yıldız',
	'Trần',
	'Smith',
	'Ødegård',
	'da Silva',
	'Jónsdóttir',
];
const cities = [
	['Germany', 'Bavaria', 'München', 'de', 'Europe/Berlin'],
	['Brazil', 'São Paulo', 'São Paulo', 'pt_BR', 'America/Sao_Paulo'],
	['Vietnam', null, 'Hà Nội', 'vi', 'Asia/Ho_Chi_Minh'],
	['Canada', 'Québec', 'Montréal', 'fr_CA', 'America/Toronto'],
] as const;
const tagNames = [
	'VIP',
	'Newsletter',
	'Größe XL',
	'lead / cold',
	'Café',
	'Cliente nuevo',
	'重要',
	'churned',
];
const channels = [
	['WhatsApp Süd', 'whatsapp', 'connected'],
	['Website', 'webchat', 'connected'],
	['Messenger page', 'messenger', 'disconnected'],
	['Instagram', 'instagram', 'connected'],
	['Telegram bot', 'telegram', 'connected'],
	['Support mail', 'email', 'disconnected'],
] as const;
const broadcastNames = ['Summer sale', 'Angebote 50 % / Größe XL & más', 'Reminder', '春节'];
const flowNames = ['Welcome', 'Onboarding – Übersicht', 'Feedback', 'Cart reminder'];
const sequenceNames = ['Onboarding', 'Nachfassen', 'Win back'];
const memberNames = ['Maja Öztürk', 'John Doe', 'Renée Dubois', 'Ivana Kovač', 'Sam'];

/** Usual number of records of each kind. */
const usual: Record<CollectionName, number> = {
	tags: 8,
	customFields: choices.customFieldTypes.length,
	members: memberNames.length,
	teams: 2,
	channels: channels.length,
	sequences: sequenceNames.length,
	broadcasts: broadcastNames.length,
	flows: flowNames.length,
	aiAgents: 2,
	templates: sampleTemplates,
};

const minute = 60_000;
const epoch = Date.UTC(2024, 0, 1);
/** A minute apart each; 100,000 of them end long before today. */
const timeOf = (index: number) => new Date(epoch + index * minute).toISOString();

/** The n-th of some names; beyond the last they start again, numbered. */
function nameOf(names: readonly string[], index: number): string {
	const round = Math.floor(index / names.length);
	const name = names[index % names.length];
	return round === 0 ? name : `${name} ${round + 1}`;
}

/** A value that fits the type of a custom field. */
const sampleValues: Record<(typeof choices.customFieldTypes)[number], (index: number) => unknown> =
	{
		shortText: (index) => `Größe ${index}`,
		longText: (index) => `Line one\nZeile zwei ${index}`,
		number: (index) => index,
		date: (index) => timeOf(index).slice(0, 10),
		datetime: timeOf,
		boolean: (index) => index % 2 === 0,
		email: (index) => `work${index}@example.com`,
		phoneNumber: (index) => `+4930${String(1_000_000 + index)}`,
	};

/**
 * Makes a workspace with the records that its options ask for; the same options give the same
 * records.
 */
export function newWorkspace(options: WorkspaceOptions): Workspace {
	const workspace = new Workspace(options);
	seed(workspace, options);
	workspace.contactsAtFirst = workspace.contacts.size;
	return workspace;
}

function seed(workspace: Workspace, options: WorkspaceOptions): void {
	const random = sequenceOf(options.seed ?? 1);
	const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
	const { tables } = workspace;
	const workspaceId = workspace.record.id;
	const isReference = workspace.service === 'reference';

	const fill = <Name extends CollectionName>(
		table: Name,
		make: (index: number, id: string) => Collections[Name],
	) => {
		const count = options.counts?.[table] ?? (options.empty ? 0 : usual[table]);
		for (let index = 0; index < count; index++) {
			const record = make(index, workspace.nextId());
			(tables[table] as Map<string, Collections[Name]>).set(record.id, record);
		}
	};
	const times = (index: number) => ({ createdAt: timeOf(index), updatedAt: timeOf(index + 1) });

	fill('tags', (index, id) => ({
		id,
		name: nameOf(tagNames, index),
		...times(index),
		workspaceId,
		deletedAt: null,
		folderId: index % 3 === 0 ? '4001' : null,
	}));
	fill('customFields', (index, id) => {
		const type = choices.customFieldTypes[index % choices.customFieldTypes.length];
		return {
			id,
			name: nameOf(
				choices.customFieldTypes.map((name) => `My ${name}`),
				index,
			),
			type,
			workspaceId,
			folderId: index % 4 === 0 ? '4002' : null,
			description: index % 2 === 0 ? `Ein Feld für ${type}` : null,
		};
	});
	fill('members', (index, id) => {
		const userId = workspace.nextId();
		return {
			id,
			workspaceId,
			userId,
			role: index === 0 ? 'owner' : 'agent',
			permissions: {
				superAdmin: index === 0,
				analytics: true,
				flows: index < 2,
				contacts: true,
				onlyAssignedContacts: index > 2,
				emailAndPhone: index < 3,
				broadcast: index < 2,
				ecommerce: false,
			},
			user: {
				id: userId,
				name: nameOf(memberNames, index),
				image: index % 2 === 0 ? `https://images.example.com/${index}.png` : null,
			},
			email: `member${index}@example.com`,
			...times(index),
		};
	});
	const members = [...tables.members.values()];
	fill('teams', (index, id) => ({
		id,
		name: nameOf(['Support', 'Vertrieb Süd'], index),
		workspaceId,
		inboxTeamMembers: members.slice(0, index + 1).map((member) => ({
			id: workspace.nextId(),
			inboxTeamId: id,
			userId: member.userId,
			user: {
				...member.user,
				email: member.email,
				emailVerified: true,
				isAnonymous: false,
				createdAt: member.createdAt,
				updatedAt: member.updatedAt,
			},
		})),
		...times(index),
	}));
	fill('channels', (index, id) => {
		const [name, platform, status] = channels[index % channels.length];
		// Real services name the mail channel by its protocol.
		const channel = platform === 'email' && !isReference ? 'smtp' : platform;
		return { id, name: index < channels.length ? name : `${name} ${index + 1}`, channel, status };
	});
	fill('flows', (index, id) => ({
		id,
		name: nameOf(flowNames, index),
		active: index % 4 !== 3,
		workspaceId,
	}));
	const flowIds = [...tables.flows.keys()];
	fill('sequences', (index, id) => ({
		id,
		name: nameOf(sequenceNames, index),
		active: index % 2 === 0,
		subscribers: index * 12,
		messages: index * 40,
		openRate: index === 0 ? null : 0.61,
		ctr: index === 0 ? null : 0.08,
		folderId: null,
		workspaceId,
		...times(index),
	}));
	fill('broadcasts', (index, id) => ({
		id,
		name: nameOf(broadcastNames, index),
		status: (['sent', 'scheduled', 'sending'] as const)[index % 3],
		schedulesType: index % 2 === 0 ? 'now' : 'future',
		schedulesAt: timeOf(index * 60),
		contactCount: index % 3 === 1 ? null : index * 100,
		flowId: flowIds[index] ?? null,
	}));
	fill('aiAgents', (index, id) => ({
		id,
		name: nameOf(['Sales assistant', 'Hilfe-Assistent'], index),
		workspaceId,
	}));

	const tagIds = [...tables.tags.keys()];
	const inboxes = [...tables.channels.values()];
	const fields = [...tables.customFields.values()];
	const count = options.contacts ?? (options.empty ? 0 : 50);
	for (let index = 0; index < count; index++) {
		const id = workspace.nextId();
		const time = timeOf(index);
		const firstName = pick(firstNames);
		const [country, state, city, locale, timezone] = pick(cities);
		const values = new Map<string, StoredValue>();
		if (index % 3 === 0 && fields.length > 0) {
			const field = fields[(index / 3) % fields.length];
			values.set(field.id, {
				id: workspace.nextId(),
				createdAt: time,
				updatedAt: time,
				value: sampleValues[field.type](index),
			});
		}
		const inbox = inboxes.length > 0 ? inboxes[index % inboxes.length] : undefined;
		const email =
			index % 9 === 4 ? null : `contact${index % 13 === 0 ? '+' : ''}${index}@example.com`;
		// The reference allows numbers without +; other services keep all of them in one form.
		const plus = isReference && index % 4 === 3 ? '' : '+';
		const phoneNumber = index % 9 === 8 ? null : `${plus}4915${String(10_000_000 + index)}`;
		workspace.contacts.add(
			newContact(id, time, {
				firstName: index % 17 === 16 ? null : firstName,
				lastName: index % 7 === 5 ? null : pick(lastNames),
				email,
				phoneNumber,
				gender: pick(['male', 'female', 'unknown', null] as const),
				emailVerified: index % 2 === 0,
				emailOptIn: index % 5 !== 0,
				avatar: index % 6 === 0 ? `https://images.example.com/contact-${index}.png` : null,
				ref: index % 8 === 0 ? `crm-${index}` : null,
				lastReadAt: index % 2 === 0 ? time : null,
				subscribedAt: time,
				broadcastSubscribedAt: index % 3 === 0 ? time : null,
				blockedAt: index % 23 === 22 ? time : null,
				country,
				state,
				city,
				locale,
				timezone,
				tagIds: tagIds.length > 0 && index % 2 === 0 ? [tagIds[(index / 2) % tagIds.length]] : [],
				inboxIds: inbox ? [inbox.id] : [],
				values,
				...(inbox && !isReference && reachedOn(workspace, inbox, { id, email, phoneNumber })),
			}),
		);
	}
	addFile(workspace, fileRows());
	fill('templates', templateMaker(workspace));
}

/** A contact's own data on an inbox: its conversation and its id on the platform. */
function reachedOn(
	workspace: Workspace,
	{ id: inboxId, channel }: Channel,
	{ id, email, phoneNumber }: { id: string; email: string | null; phoneNumber: string | null },
): Partial<StoredContact> {
	const own = channel === 'webchat' ? null : `9${id.slice(-9)}`;
	const platformId =
		channel === 'whatsapp' ? (phoneNumber?.slice(1) ?? null) : channel === 'smtp' ? email : own;
	return {
		conversation: newConversation(workspace, id),
		platformIds: platformId === null ? {} : { [inboxId]: platformId },
	};
}

/** Returns the rows of 100 people who are not in the workspace. */
function fileRows(): UploadedFile['rows'] {
	return Array.from({ length: 100 }, (_, index) => ({
		Phone:
			index % 2 === 0 ? `+49151${String(10_000_000 + index)}` : `151${String(10_000_000 + index)}`,
		Email: `import${index}@example.com`,
		'First name': firstNames[index % firstNames.length],
		'Last name': lastNames[index % lastNames.length],
		'External ID': `import-${index}`,
		Notes: `Line ${index}`,
	}));
}

/** Adds an uploaded file, which only an import can use. */
export function addFile(workspace: Workspace, rows: UploadedFile['rows']): UploadedFile {
	const file = { id: workspace.nextId(), columns: Object.keys(rows[0] ?? {}), rows };
	workspace.files.set(file.id, file);
	return file;
}
