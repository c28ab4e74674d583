import { startStandInModel } from '../../../scripts/standInModel';

/* The model of `npm start`, which needs no account. */

let model: Awaited<ReturnType<typeof startStandInModel>>;

beforeAll(async () => {
	model = await startStandInModel();
});

afterAll(async () => {
	await model.stop();
});

const tool = (name: string, properties: string[], required: string[] = []) => ({
	type: 'function',
	function: {
		name,
		parameters: { properties: Object.fromEntries(properties.map((each) => [each, {}])), required },
	},
});

const tools = [
	tool('Get_contact_in_Workspace_Messaging', ['Contact_Email__Phone_or_ID']),
	tool('Send_message_in_Workspace_Messaging', ['Contact', 'Message'], ['Message']),
	// n8n gives a tool behind a human review this form.
	{
		type: 'function',
		function: {
			name: 'Add_tags_to_contact_in_Workspace_Messaging',
			parameters: {
				properties: {
					toolParameters: { properties: { Tag_Names: {} }, required: ['Tag_Names'] },
					hitlParameters: {},
				},
				required: ['toolParameters', 'hitlParameters'],
			},
		},
	},
];

const handOverTools = [
	tool('Add_Note', ['Note'], ['Note']),
	tool('Assign', []),
	tool('Hand_Over', []),
];

const choiceFor = async (...messages: Array<{ role: string; content: string }>) =>
	await choiceWith(tools, ...messages);

async function choiceWith(
	offered: typeof tools,
	...messages: Array<{ role: string; content: string }>
) {
	const response = await fetch(`${model.url}/chat/completions`, {
		method: 'POST',
		body: JSON.stringify({ model: 'any', messages, tools: offered }),
	});
	const { choices } = (await response.json()) as {
		choices: Array<{
			finish_reason: string;
			message: {
				content: string | null;
				tool_calls?: Array<{ function: { name: string; arguments: string } }>;
			};
		}>;
	};
	return choices[0];
}

const user = (content: string) => ({ role: 'user', content });

test.each([
	['Call send message: Hello, Ann!', tools[1], { Message: 'Hello, Ann!' }],
	[
		'call Send Message: contact = ann@example.com; message = 1 + 1 = 2',
		tools[1],
		{ Contact: 'ann@example.com', Message: '1 + 1 = 2' },
	],
	[
		'Call get contact: ann@example.com',
		tools[0],
		{ Contact_Email__Phone_or_ID: 'ann@example.com' },
	],
	[
		'Call get contact: contact = ann@example.com',
		tools[0],
		{ Contact_Email__Phone_or_ID: 'ann@example.com' },
	],
	['Call get contact', tools[0], {}],
	['Call add tag: VIP', tools[2], { toolParameters: { Tag_Names: 'VIP' }, hitlParameters: {} }],
])('The stand-in model calls the tool that a message names: %s', async (text, called, args) => {
	const { finish_reason, message } = await choiceFor(user(text));
	expect(finish_reason).toBe('tool_calls');
	expect(message.tool_calls?.map((call) => call.function.name)).toEqual([called.function.name]);
	expect(JSON.parse(message.tool_calls?.[0].function.arguments ?? '')).toEqual(args);
});

test('The stand-in model says what the tool returned', async () => {
	const { finish_reason, message } = await choiceFor(user('Call get contact'), {
		role: 'tool',
		content: '{"id":"1"}',
	});
	expect(finish_reason).toBe('stop');
	expect(message.content).toBe('The tool returned: {"id":"1"}');
});

test.each(['Please call me', 'Call make coffee: now', 'Where is my order?'])(
	'The stand-in model repeats any other message: %s',
	async (text) => {
		const { message } = await choiceFor(user(text));
		expect(message.tool_calls).toBeUndefined();
		expect(message.content).toContain(`You wrote: "${text}"`);
	},
);

test('The stand-in model writes a note, assigns and hands over if a contact asks for a person', async () => {
	const earlier = [user('Call hand over'), { role: 'tool', content: '{}' }];
	const conversation = [...earlier, user('I want to talk to a person')];
	const called: unknown[] = [];
	while (called.length < handOverTools.length) {
		const { message } = await choiceWith(handOverTools, ...conversation);
		called.push(
			message.tool_calls?.map((call) => [call.function.name, JSON.parse(call.function.arguments)]),
		);
		conversation.push({ role: 'tool', content: '{"success":true}' });
	}
	expect(called).toEqual([
		[['Add_Note', { Note: 'The contact wrote: "I want to talk to a person"' }]],
		[['Assign', {}]],
		[['Hand_Over', {}]],
	]);
	const { message } = await choiceWith(handOverTools, ...conversation);
	expect(message).toMatchObject({ content: 'A person will answer you.' });
});

test('The stand-in model repeats the wish for a person if it cannot hand over', async () => {
	const { message } = await choiceFor(user('I want to talk to a person'));
	expect(message.content).toContain('You wrote: "I want to talk to a person"');
});
