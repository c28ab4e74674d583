import { api, methodsOf, operationOf } from './api';
import { missing, unauthorized } from '../../http/answers';
import { standard } from '../../http/http';
import type { Service } from '../service';

/** The service that keeps to the reference: it answers by the contract. */
export const reference: Service = {
	operationOf: async (_workspace, method, path) => await operationOf(method, path),

	async handle({ workspace }, { method, path, headers, body }) {
		const request = standard({ method, headers }, path, body?.toString());
		const result = await api.handle(request, { context: { workspace } });
		if (result.matched) return { status: result.response.status, json: result.response.body };
		const methods = await methodsOf(path);
		return methods.length > 0 ? missing(405, { allow: methods.join(', ') }) : missing(404);
	},

	refuseToken: async () => unauthorized,
	missing,
};
