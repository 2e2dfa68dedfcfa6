// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** When the claims of a class are bound. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum VolumeBindingMode implements WireEnum {
    /** As soon as possible. */
    IMMEDIATE,
    /** When a pod that uses the claim is scheduled. */
    WAIT_FOR_FIRST_CONSUMER,
    /** A value that this version does not know. */
    UNKNOWN
}
