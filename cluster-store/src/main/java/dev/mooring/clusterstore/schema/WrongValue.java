// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.schema;

import dev.mooring.storage.model.Kind;
import org.apiguardian.api.API;

/**
 * A value that is of another type than its field.
 *
 * @param field the path, such as {@code spec.containers[0].env[1].value}; never null
 * @param rule what the field wants and what was given: {@code must be a boolean, not the string "false"}; never null
 * @param serverMessage what the API server says of it: {@code json: cannot unmarshal string into Go struct field
 *     NFSVolumeSource.spec.nfs.readOnly of type bool}; never null
 * @param conversionMessage what it says of it in a strategic merge patch: {@code cannot convert string to bool}; never null
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WrongValue(String field, String rule, String serverMessage, String conversionMessage) {
    /**
     * What a server answers to an object with such a value: the API server's sentence, and in parentheses field and rule.
     *
     * @param kind the object's, never null
     */
    public String refusal(Kind<?> kind) {
        return refusal(kind.name(), kind.version());
    }

    /** The same by the kind's name and version. */
    public String refusal(String kind, String version) {
        return kind + " in version \"" + version + "\" cannot be handled as a " + kind + ": "
                + explained(serverMessage);
    }

    /** A message of the API server, and in parentheses field and rule. */
    public String explained(String message) {
        return message + " (" + this + ")";
    }

    /** Field and rule. */
    @Override
    public String toString() {
        return field + ": " + rule;
    }
}
