import { DirectoryLoader } from 'n8n-core';
import { SEND_AND_WAIT_OPERATION } from 'n8n-workflow';
import type { INodePropertyOptions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import {
	compiledDescription,
	loadedDescription,
	reviewDescription,
	toolDescription,
} from '../support/n8n/description';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { n8nModule } from '../support/n8n/modules';

/*
 * What n8n's AI builder and its MCP server tell a model about the node, made by n8n's own
 * functions. The 1.x line has neither.
 */
const describeForModels = DEFAULT_N8N_VERSION.startsWith('1.') ? describe.skip : describe;

/**
 * Characters of the definitions of 33 operations. Each further one may have 900 more, and one that
 * takes conditions on contacts may have these as well: rows with inputs of their own for every kind
 * of value. One that waits for an answer may have the fields of n8n's own nodes for it: kinds of
 * answers, labels, how long it waits, and what counts as an answer in the chat.
 */
const BUDGET = {
	operations: 33,
	// With the option Send Once in three of them.
	characters: 43_600,
	// A contact and a record to return take 1,100 with nothing else.
	perFurtherOperation: 900,
	// The sentence about what services can't filter by stands in each of these operations.
	conditions: 7_750,
	waiting: 4_600,
	// Send Template, and a broadcast with a template.
	templates: 2 * 2_300,
	requestOptions: 500,
};

interface Combination {
	resource: string;
	operation: string;
}

interface Sdk {
	extractDiscriminatorCombinations(description: object): Combination[];
	getPropertiesForCombination(description: object, combination: Combination): object[];
	generateDiscriminatorFile(
		description: object,
		version: number,
		combination: Combination,
		properties: object[],
	): string;
}

let description: INodeTypeDescription;
let sdk: Sdk;
let synthesize: (description: INodeTypeDescription) => string;

/** What the node's dropdowns say of each operation. */
function expectedTexts() {
	const optionsOf = (name: string, resource?: string) =>
		description.properties
			.filter(
				(field) =>
					field.name === name &&
					(resource === undefined || field.displayOptions?.show?.resource?.includes(resource)),
			)
			.flatMap((field) => field.options as INodePropertyOptions[]);
	return optionsOf('resource').flatMap((resource) =>
		optionsOf('operation', String(resource.value)).map((operation) => ({
			resource: String(resource.value),
			operation: String(operation.value),
			texts: [resource.description!, operation.description!],
		})),
	);
}

/** The node without what n8n calls settings. */
const withoutRequestOptions = (): INodeTypeDescription => ({
	...description,
	properties: description.properties.filter(({ name }) => name !== 'requestOptions'),
});

/**
 * The texts that a generated definition gives an operation: above its type, and at the top inside.
 */
function textsIn(definitions: string, { resource, operation }: Combination): string[] {
	const pattern = new RegExp(
		String.raw`/\*\* (.+) \*/\nexport type \w+ = \{\n  /\*\*\n   \* (.+)\n   \*/\n  resource: '${resource}';\n  operation: '${operation}';`,
	);
	return pattern.exec(definitions)?.slice(1) ?? [];
}

describeForModels('The description for a model', () => {
	beforeAll(async () => {
		description = compiledDescription();
		sdk = await n8nModule<Sdk>('@n8n/workflow-sdk/dist/generate-types/generate-types.js');
		({ synthesizeNodeTypeDef: synthesize } = await n8nModule<{
			synthesizeNodeTypeDef(description: INodeTypeDescription): string;
		}>('n8n/dist/modules/mcp-registry/synthesize-type-def.js'));
	});

	it('is in the definitions of the MCP server, for each operation', () => {
		const operations = expectedTexts();
		expect(operations.length).toBeGreaterThanOrEqual(33);
		for (const definitions of [synthesize(description), synthesize(loadedDescription())]) {
			const found = operations.map((each) => ({ ...each, texts: textsIn(definitions, each) }));
			expect(found).toEqual(operations);
		}
	});

	it('is in the types of the AI builder, for each operation', () => {
		const operations = expectedTexts();
		expect(sdk.extractDiscriminatorCombinations(description)).toHaveLength(operations.length);
		const found = operations.map(({ resource, operation }) => {
			const combination = { resource, operation };
			const properties = sdk.getPropertiesForCombination(description, combination);
			const file = sdk.generateDiscriminatorFile(description, 1, combination, properties);
			return { resource, operation, texts: textsIn(file, combination) };
		});
		expect(found).toEqual(operations);
	});

	it('is in the tool for an agent builder, for each operation', async () => {
		const definitions = synthesize(await toolDescription());
		const operations = expectedTexts();
		expect(operations.map((each) => ({ ...each, texts: textsIn(definitions, each) }))).toEqual(
			operations,
		);
	});

	it('stays within its size', () => {
		const further = Math.max(0, expectedTexts().length - BUDGET.operations);
		const conditions = description.properties.find(({ name }) => name === 'conditions');
		const withConditions = conditions?.displayOptions?.show?.operation?.length ?? 0;
		const waiting = expectedTexts().filter(
			({ operation }) => operation === SEND_AND_WAIT_OPERATION,
		).length;
		const budget =
			BUDGET.characters +
			further * BUDGET.perFurtherOperation +
			withConditions * BUDGET.conditions +
			waiting * BUDGET.waiting +
			BUDGET.templates;
		expect(synthesize(withoutRequestOptions()).length).toBeLessThanOrEqual(budget);
	});

	it('adds little to the request options, which n8n repeats for every operation', () => {
		const ownOfN8n = withoutRequestOptions();
		DirectoryLoader.applyDeclarativeNodeOptionParameters({ description: ownOfN8n } as INodeType);
		const added = synthesize(loadedDescription()).length - synthesize(ownOfN8n).length;
		expect(added).toBeGreaterThan(0);
		expect(added / expectedTexts().length).toBeLessThanOrEqual(BUDGET.requestOptions);
	});
});

describeForModels('The Request Options in the Settings tab', () => {
	const optionsIn = (loaded?: INodeTypeDescription) =>
		loaded?.properties.filter(({ name }) => name === 'requestOptions');
	/** n8n's own, as it adds them to a node that has no webhook. */
	const ownOfN8n = () => {
		const own = { properties: [] as object[] };
		DirectoryLoader.applyDeclarativeNodeOptionParameters({
			description: own,
		} as unknown as INodeType);
		return own.properties[0] as INodeTypeDescription['properties'][number];
	};

	it.each([
		['node', async () => await Promise.resolve(loadedDescription())],
		['tool of an agent', toolDescription],
		['step of a human review', reviewDescription],
	])('are in the %s, with those that n8n has itself', async (_, load) => {
		const shown = optionsIn(await load());
		const { options: own = [], displayName, type } = ownOfN8n();
		expect(shown).toEqual([expect.objectContaining({ displayName, type, isNodeSetting: true })]);
		const labels = (options: object[] = []) =>
			options.map((option) => {
				const { name, displayName } = option as { name: string; displayName: string };
				return { name, displayName };
			});
		expect(own.length).toBeGreaterThanOrEqual(4);
		expect(labels(shown?.[0].options)).toEqual(
			expect.arrayContaining([
				...labels(own),
				{ name: 'maxRetries', displayName: 'Max Retries' },
				{ name: 'retryWhenOutcomeUnknown', displayName: 'Retry When Outcome Is Unknown' },
			]),
		);
	});
});
