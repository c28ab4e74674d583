import { n8nModule } from './modules';
import type { RunningN8n } from '../../../scripts/n8n/run';

interface ToolResult {
	content: Array<{ text: string }>;
	structuredContent?: object;
	isError?: boolean;
}

/** As much of the client of the MCP SDK as is used here. */
interface SdkClient {
	connect(transport: object): Promise<void>;
	callTool(call: { name: string; arguments: object }): Promise<ToolResult>;
	close(): Promise<void>;
}

/**
 * A client of n8n's own MCP server, with which assistants outside of n8n build and run workflows.
 */
export interface Mcp {
	/** Calls a tool and returns its answer. Throws what the tool says if it fails. */
	call: <T>(tool: string, parameters: object) => Promise<T>;
	close: () => Promise<void>;
}

/**
 * Lets the MCP server of a running n8n be used, as its owner does in the settings, and connects to
 * it. n8n 2 only.
 */
export async function connectMcp({ address, client }: RunningN8n): Promise<Mcp> {
	await client.request('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
	const { apiKey } = await client.request<{ apiKey: string }>('GET', '/mcp/api-key');

	const { Client } = await n8nModule<{ Client: new (info: object) => SdkClient }>(
		'@modelcontextprotocol/sdk/dist/cjs/client/index.js',
	);
	const { StreamableHTTPClientTransport } = await n8nModule<{
		StreamableHTTPClientTransport: new (url: URL, options: object) => object;
	}>('@modelcontextprotocol/sdk/dist/cjs/client/streamableHttp.js');
	const sdk = new Client({ name: 'scripted-builder', version: '1.0.0' });
	await sdk.connect(
		new StreamableHTTPClientTransport(new URL(`${address}/mcp-server/http`), {
			// n8n closes idle connections after five seconds, perhaps just when the next request uses
			// one.
			requestInit: { headers: { authorization: `Bearer ${apiKey}`, connection: 'close' } },
		}),
	);

	return {
		async call<T>(tool: string, parameters: object) {
			const { content, structuredContent, isError } = await sdk.callTool({
				name: tool,
				arguments: parameters,
			});
			if (isError || structuredContent === undefined)
				throw new Error(`${tool}: ${content.map(({ text }) => text).join('\n')}`);
			return structuredContent as T;
		},
		close: async () => await sdk.close(),
	};
}
