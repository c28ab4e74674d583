import { z } from 'zod/v4';
import type { SentValue } from './parameters';

const link = z.object({ link: z.string() }).optional();
const number = z.union([z.number(), z.string()]);
const text = { text: z.string().optional(), parameter_name: z.string().optional() };

const header = z.object({
	type: z.enum(['text', 'image', 'video', 'document', 'location']),
	...text,
	image: link,
	video: link,
	document: link,
	location: z
		.object({
			latitude: number,
			longitude: number,
			name: z.string().optional(),
			address: z.string().optional(),
		})
		.optional(),
});

const button = z.object({
	sub_type: z.enum(['url', 'quick_reply', 'copy_code', 'flow', 'catalog', 'mpm']),
	index: number,
	text: z.string().optional(),
	coupon_code: z.string().optional(),
	payload: z.string().optional(),
	flow_token: z.string().optional(),
	thumbnail_product_retailer_id: z.string().optional(),
	sections: z.array(z.unknown()).optional(),
});

const parts = {
	header: z.array(header).optional(),
	body: z.array(z.object({ type: z.literal('text'), ...text })).optional(),
	button: z.array(button).optional(),
};

/** The nested form of a template's values. */
export const templateData = z.object({
	...parts,
	carousel: z.array(z.object({ card_index: number, ...parts })).optional(),
	limited_time_offer: z.object({ expiration_time_ms: number }).optional(),
});
export type TemplateData = z.output<typeof templateData>;

type Parts = Pick<TemplateData, keyof typeof parts>;

function ofHeader(sent: z.output<typeof header>, index: number): SentValue[] {
	const { type, location: place } = sent;
	if (type === 'text') {
		return [
			{ key: `header.${sent.parameter_name ?? index + 1}`, value: sent.text ?? '', kind: 'text' },
		];
	}
	if (type !== 'location') return [{ key: 'header', value: sent[type]?.link ?? '', kind: type }];
	return [
		{ key: 'header.latitude', value: String(place?.latitude ?? ''), kind: 'latitude' },
		{ key: 'header.longitude', value: String(place?.longitude ?? ''), kind: 'longitude' },
		{ key: 'header.name', value: place?.name ?? '', kind: 'location_name' },
		{ key: 'header.address', value: place?.address ?? '', kind: 'location_address' },
	];
}

function ofButton(sent: z.output<typeof button>): SentValue[] {
	const key = `button.${sent.index}`;
	switch (sent.sub_type) {
		case 'url':
			return [{ key, value: sent.text ?? '', kind: 'url_suffix' }];
		case 'copy_code':
			return [{ key, value: sent.coupon_code ?? '', kind: 'coupon_code' }];
		case 'catalog':
			return [{ key, value: sent.thumbnail_product_retailer_id ?? '', kind: 'catalog_product' }];
		case 'mpm':
			return [{ key, value: sent.sections?.length ? 'sections' : '', kind: 'products' }];
		default:
			return [];
	}
}

const ofParts = ({ header: head = [], body = [], button: buttons = [] }: Parts): SentValue[] => [
	...head.flatMap(ofHeader),
	...body.map((sent, index) => ({
		key: `body.${sent.parameter_name ?? index + 1}`,
		value: sent.text ?? '',
		kind: 'text' as const,
	})),
	...buttons.flatMap(ofButton),
];

/** The values of the nested form by their keys. */
export const valuesIn = ({
	carousel = [],
	limited_time_offer: offer,
	...own
}: TemplateData): SentValue[] => [
	...ofParts(own),
	...carousel.flatMap((card) =>
		ofParts(card).map((sent) => ({ ...sent, key: `card.${card.card_index}.${sent.key}` })),
	),
	...(offer
		? [
				{
					key: 'offer.expiration_ms',
					value: String(offer.expiration_time_ms),
					kind: 'expiration_ms' as const,
				},
			]
		: []),
];
