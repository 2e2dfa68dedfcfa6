// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which part of a list is asked for (semantics/csi §16). A token is the key at which the next page begins, so that what goes meanwhile
 * moves nothing else.
 *
 * @param maxEntries the longest page; 0 for no limit
 * @param token where the page begins; empty for the first one
 */
record Paging(int maxEntries, String token) {
    /** One page, and the token of the next; an empty one if this is the last page. */
    record Page<R>(List<R> entries, String nextToken) {}

    /**
     * Checks what a caller asks for.
     *
     * @param isKey whether a text is a key of the list
     * @throws RpcFailure if the length is negative, or the token is not a key
     */
    static Paging of(int maxEntries, String token, Predicate<String> isKey) throws RpcFailure {
        if (maxEntries < 0) {
            throw RpcFailure.invalid("max_entries is negative");
        }
        if (!token.isEmpty() && !isKey.test(token)) {
            throw RpcFailure.aborted("this driver has not given this starting_token; begin with the first page");
        }
        return new Paging(maxEntries, token);
    }

    /** The part of a list that is in the order of its keys. */
    <R> Page<R> of(List<R> all, Function<R, String> key) {
        List<R> left = all.stream()
                .filter(each -> key.apply(each).compareTo(token) >= 0)
                .toList();
        int most = maxEntries == 0 ? left.size() : Math.min(maxEntries, left.size());
        return new Page<>(left.subList(0, most), most < left.size() ? key.apply(left.get(most)) : "");
    }
}
