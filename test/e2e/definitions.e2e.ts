import { DirectoryLoader } from 'n8n-core';
import { SEND_AND_WAIT_OPERATION } from 'n8n-workflow';
import type { INodePropertyOptions, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { compiledDescription, loadedDescription, toolDescription } from '../support/n8n/description';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { n8nModule } from '../support/n8n/modules';

/*
 * What n8n's AI builder and its MCP server tell a model about the node, made by n8n's own functions. The 1.x line has
 * neither.
 */
const describeForModels = DEFAULT_N8N_VERSION.startsWith('1.') ? describe.skip : describe;

/**
 * Characters of the definitions of 33 operations. Each further one may have 700 more, and one that takes conditions on
 * contacts may have these as well: rows with inputs of their own for every kind of value. One that waits for an answer may
 * have the fields of n8n's own nodes for it: kinds of answers, labels, and how long it waits.
 */
const BUDGET = {
	operations: 33,
	characters: 41_050,
	perFurtherOperation: 700,
	conditions: 7_600,
	waiting: 2_700,
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

/** The texts that a generated definition gives an operation: above its type, and at the top inside. */
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
		expect(operations.map((each) => ({ ...each, texts: textsIn(definitions, each) }))).toEqual(operations);
	});

	it('stays within its size', () => {
		const further = Math.max(0, expectedTexts().length - BUDGET.operations);
		const conditions = description.properties.find(({ name }) => name === 'conditions');
		const withConditions = conditions?.displayOptions?.show?.operation?.length ?? 0;
		const waiting = expectedTexts().filter(({ operation }) => operation === SEND_AND_WAIT_OPERATION).length;
		const budget =
			BUDGET.characters +
			further * BUDGET.perFurtherOperation +
			withConditions * BUDGET.conditions +
			waiting * BUDGET.waiting;
		expect(synthesize(description).length).toBeLessThanOrEqual(budget);
	});

	it('adds little to the request options, which n8n repeats for every operation', () => {
		const properties = description.properties.filter(({ name }) => name !== 'requestOptions');
		const perOperation = (loaded: INodeTypeDescription) =>
			(synthesize(loaded).length - synthesize({ ...description, properties }).length) /
			expectedTexts().length;
		const ownOfN8n = { ...description, properties: [...properties] };
		DirectoryLoader.applyDeclarativeNodeOptionParameters({ description: ownOfN8n } as INodeType);
		expect(perOperation(loadedDescription()) - perOperation(ownOfN8n)).toBeLessThanOrEqual(
			BUDGET.requestOptions,
		);
	});
});
