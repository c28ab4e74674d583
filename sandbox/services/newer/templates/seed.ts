import type { Workspace } from '../../../workspace';
import type { Component, Template } from './template';

const body = (text: string): Component => ({ type: 'BODY', text });
const image: Component = {
	type: 'HEADER',
	format: 'IMAGE',
	example: { header_handle: ['https://images.example.com/sample.jpg'] },
};

type Sample = Pick<Template, 'name' | 'language' | 'status' | 'category' | 'components'> & {
	/** Whether it belongs to another phone number than the rest. */
	ofOtherNumber?: true;
};

const sample = (
	name: string,
	components: Component[],
	other: Partial<Omit<Sample, 'name' | 'components'>> = {},
): Sample => ({
	name,
	language: 'en_US',
	status: 'APPROVED',
	category: 'UTILITY',
	components,
	...other,
});

const card = (product: string, path: string): { components: Component[] } => ({
	components: [
		image,
		body(`${product} for {{1}}`),
		{
			type: 'BUTTONS',
			buttons: [
				{ type: 'QUICK_REPLY', text: 'More like this' },
				{ type: 'URL', text: 'Buy', url: `https://shop.example/${path}/{{1}}` },
			],
		},
	],
});

/** One template of each kind, oldest first. */
const samples: readonly Sample[] = [
	sample('order_shipped', [
		{
			type: 'BODY',
			text: 'Hi {{1}}, your order {{2}} is on its way.',
			example: { body_text: [['Ann', 'A-100']] },
		},
	]),
	sample('order_shipped', [body('Hallo {{1}}, deine Bestellung {{2}} ist unterwegs.')], {
		language: 'de',
	}),
	sample('welcome', [
		{
			type: 'BODY',
			text: 'Hi {{name}}, welcome to {{shop}}!',
			example: {
				body_text_named_params: [
					{ param_name: 'name', example: 'Ann' },
					{ param_name: 'shop', example: 'Café Süd' },
				],
			},
		},
		{ type: 'FOOTER', text: 'Reply STOP to unsubscribe' },
	]),
	sample('invoice', [
		{
			type: 'HEADER',
			format: 'DOCUMENT',
			example: { header_handle: ['https://images.example.com/sample.pdf'] },
		},
		body('Hi {{1}}, here is your invoice.'),
		{
			type: 'BUTTONS',
			buttons: [
				{
					type: 'URL',
					text: 'Track',
					url: 'https://shop.example/track/{{1}}',
					example: ['https://shop.example/track/A-100'],
				},
			],
		},
	]),
	sample('new_collection', [image, body('Our new collection is here.')], { category: 'MARKETING' }),
	sample('appointment', [
		{
			type: 'HEADER',
			format: 'TEXT',
			text: 'Your appointment on {{1}}',
			example: { header_text: ['Monday'] },
		},
		body('Hi {{1}}, see you at {{2}}. Not at {{2}}? Tell us.'),
		{ type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Change' }] },
	]),
	sample('pickup_point', [
		{ type: 'HEADER', format: 'LOCATION' },
		body('Order {{1}} waits for you here.'),
	]),
	sample(
		'flash_sale',
		[
			{
				type: 'LIMITED_TIME_OFFER',
				limited_time_offer: { text: 'Ends soon', has_expiration: true },
			},
			body('Hi {{1}}, save 20 % with this code.'),
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'COPY_CODE', text: 'Copy code', example: 'SUMMER20' },
					{ type: 'URL', text: 'Shop', url: 'https://shop.example/sale/{{1}}' },
				],
			},
		],
		{ category: 'MARKETING' },
	),
	sample(
		'two_products',
		[
			body('Two ideas for you, {{1}}:'),
			{ type: 'CAROUSEL', cards: [card('A cup', 'cups'), card('A plate', 'plates')] },
		],
		{ category: 'MARKETING' },
	),
	sample('new_hours', [body('We have new opening hours.')], { status: 'PENDING' }),
	sample('win_a_car', [body('Win a car, {{1}}!')], { status: 'REJECTED', category: 'MARKETING' }),
	sample('order_received', [body('Hi {{1}}, we have your order.')], { ofOtherNumber: true }),
	sample(
		'win_back',
		[body('Hi {{1}}, we have not heard from each other for a while. Can we help?')],
		{ category: 'MARKETING' },
	),
];

/** The usual number of templates. */
export const sampleTemplates = samples.length;

/**
 * Returns what makes the templates of a workspace. Those of the other phone number belong to its
 * second WhatsApp channel; if there is none, to an inbox that was disconnected.
 */
export function templateMaker(workspace: Workspace): (index: number, id: string) => Template {
	const whatsapp = [...workspace.tables.channels.values()].filter(
		({ channel }) => channel === 'whatsapp',
	);
	const [own, other] = [0, 1].map((place) => ({
		id: workspace.nextId(),
		name: whatsapp[place]?.name ?? 'WhatsApp Nord',
		inboxId: whatsapp[place]?.id ?? workspace.nextId(),
		displayPhoneNumber: `+49 30 901820${place}`,
	}));
	return (index, id) => {
		const { ofOtherNumber, name, ...template } = samples[index % samples.length];
		const round = Math.floor(index / samples.length);
		const integrationWhatsapp = ofOtherNumber ? other : own;
		return {
			id,
			name: round === 0 ? name : `${name}_${round + 1}`,
			...structuredClone(template),
			integrationWhatsappId: integrationWhatsapp.id,
			integrationWhatsapp: { ...integrationWhatsapp },
		};
	};
}
