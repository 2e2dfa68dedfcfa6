// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import org.apiguardian.api.API;

/** Whether a condition holds. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum ConditionStatus implements WireEnum {
    /** It holds. */
    TRUE,
    /** It does not hold. */
    FALSE,
    /** A value that this version does not know. */
    UNKNOWN
}
