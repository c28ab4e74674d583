import * as ts from 'typescript';

/*
 * Reads the type definitions that n8n gives to a model: what a field is called, what it takes, when
 * it is there. The conditions stand in comments, which a model reads and a compiler does not.
 */

/** Values of other fields, by their names. `@tool` is whether the node is a tool of an agent. */
type Conditions = Record<string, unknown[]>;

interface Field {
	name: string;
	isRequired: boolean;
	/** Those that the type names, if it names any. */
	values: string[];
	/** Those of an object, or of the objects of a list. */
	fields: Field[];
	/** As the definition writes it. */
	default: string;
	shownFor: Conditions;
	hiddenFor: Conditions;
	/** What n8n calls for the entries of its list. */
	listMethod?: string;
}

/** The part of a definition about one operation. */
export interface Definition {
	fields: Field[];
	credentialType: string;
}

type Parameters = Record<string, unknown>;

/** Finds an operation in the definitions of a node. Throws if they do not have it. */
export function readDefinition(text: string, resource: string, operation: string): Definition {
	const source = ts.createSourceFile('definitions.ts', text, ts.ScriptTarget.ES2022, true);
	let credentialType = '';
	let fields: Field[] | undefined;
	for (const statement of source.statements) {
		if (ts.isInterfaceDeclaration(statement) && statement.name.text.endsWith('Credentials')) {
			credentialType = statement.members[0].name?.getText() ?? '';
		}
		if (!ts.isTypeAliasDeclaration(statement)) continue;
		const candidate = fieldsOf(statement.type);
		const is = (name: string, value: string) =>
			candidate.some((field) => field.name === name && field.values.join() === value);
		if (is('resource', resource) && is('operation', operation)) fields = candidate;
	}
	if (!fields) throw new Error(`The definitions have no ${resource}.${operation}`);
	return { fields, credentialType };
}

function fieldsOf(type: ts.TypeNode): Field[] {
	if (ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Array') {
		return type.typeArguments ? fieldsOf(type.typeArguments[0]) : [];
	}
	if (!ts.isTypeLiteralNode(type)) return [];
	return type.members.filter(ts.isPropertySignature).map((member) => {
		const text = member.getSourceFile().text;
		const comments = ts.getLeadingCommentRanges(text, member.getFullStart()) ?? [];
		const comment = comments.map(({ pos, end }) => text.slice(pos, end)).join('\n');
		return {
			name: member.name.getText(),
			isRequired: member.questionToken === undefined,
			values: valuesOf(member.type!),
			fields: fieldsOf(member.type!),
			default: /@default (.*)/.exec(comment)?.[1] ?? '',
			shownFor: conditionsIn(comment, 'show'),
			hiddenFor: conditionsIn(comment, 'hide'),
			listMethod: /@(?:searchList|loadOptions)Method (\w+)/.exec(comment)?.[1],
		};
	});
}

function valuesOf(type: ts.TypeNode): string[] {
	const types = ts.isUnionTypeNode(type) ? [...type.types] : [type];
	return types
		.filter(ts.isLiteralTypeNode)
		.map(({ literal }) => literal)
		.filter(ts.isStringLiteral)
		.map(({ text }) => text);
}

function conditionsIn(comment: string, kind: 'show' | 'hide'): Conditions {
	const [, conditions = ''] =
		new RegExp(String.raw`@displayOptions\.${kind} \{(.*)\}`).exec(comment) ?? [];
	return Object.fromEntries(
		[...conditions.matchAll(/([\w@./]+): (\[[^\]]*\])/g)].map(([, name, values]) => [
			name,
			JSON.parse(values) as unknown[],
		]),
	);
}

/**
 * What is wrong with the parameters of a node by its definition; nothing, if a model may write them
 * so.
 */
export function problemsOf(
	parameters: Parameters,
	fields: Field[],
	isTool: boolean,
	path = '',
): string[] {
	const current = (name: string) =>
		name === '@tool'
			? isTool
			: (parameters[name] ?? fields.find((field) => field.name === name)?.default);
	const applies = ([name, values]: [string, unknown[]]) =>
		values.map(String).includes(String(current(name)));
	const visible = fields.filter(
		({ shownFor, hiddenFor }) =>
			Object.entries(shownFor).every(applies) && !Object.entries(hiddenFor).some(applies),
	);

	const missing = visible
		.filter(({ isRequired, name }) => isRequired && parameters[name] === undefined)
		.map(({ name }) => `${path}${name} is missing`);
	const wrong = Object.entries(parameters).flatMap(([name, value]) => {
		const field = visible.find((candidate) => candidate.name === name);
		if (!field) return [`${path}${name} is not there`];
		if (typeof value === 'string' && !value.startsWith('=') && field.values.length > 0) {
			return field.values.includes(value) ? [] : [`${path}${name} cannot be ${value}`];
		}
		if (field.fields.length === 0) return [];
		return [value]
			.flat()
			.flatMap((each) => problemsOf(each as Parameters, field.fields, isTool, `${path}${name}.`));
	});
	return [...missing, ...wrong];
}
