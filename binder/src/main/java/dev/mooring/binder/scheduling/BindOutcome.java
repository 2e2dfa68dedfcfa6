// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.scheduling;

import org.apiguardian.api.API;

/**
 * What became of a pod's volumes. Immutable.
 *
 * @param bound whether all its claims are bound to volumes that can be reached from the node
 * @param message why not, for people; empty if they are
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BindOutcome(boolean bound, String message) {
    static final BindOutcome BOUND = new BindOutcome(true, "");

    static BindOutcome failed(String message) {
        return new BindOutcome(false, message);
    }
}
