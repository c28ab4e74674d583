import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { router } from './services/reference/api';

let document: Promise<unknown> | undefined;

/** The OpenAPI 3.1 document of the API, made from the contract when it is first asked for. */
export function openApiDocument(): Promise<unknown> {
	const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
	document ??= generator.generate(router, {
		info: { title: 'Workspace Messaging and Contact Management API', version: '1' },
		security: [{ bearer: [] }],
		components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
	});
	return document;
}
