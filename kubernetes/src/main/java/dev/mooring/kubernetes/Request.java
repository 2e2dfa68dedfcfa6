// SPDX-License-Identifier: Apache-2.0
package dev.mooring.kubernetes;

/**
 * What is asked of the server.
 *
 * @param method the HTTP method
 * @param path path and query, below the server's address
 * @param contentType of the body; empty without one
 * @param body the body; empty without one
 */
record Request(String method, String path, String contentType, String body) {
    static Request get(String path) {
        return new Request("GET", path, "", "");
    }

    boolean isWrite() {
        return !method.equals("GET");
    }

    /** For messages; no query, which may be long. */
    @Override
    public String toString() {
        return to("");
    }

    /** The same with the server's address. */
    String to(String server) {
        int query = path.indexOf('?');
        return method + " " + server + (query < 0 ? path : path.substring(0, query));
    }
}
