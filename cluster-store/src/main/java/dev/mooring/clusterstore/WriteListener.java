// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import org.apiguardian.api.API;

/**
 * Hears of every write, in the order in which the store accepted or refused them. Called under the store's lock: it returns quickly
 * and never calls the store.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@FunctionalInterface
public interface WriteListener {
    /** Hears nothing. */
    WriteListener NONE = write -> {};

    /** A write was accepted or refused. */
    void onWrite(WriteRecord write);
}
