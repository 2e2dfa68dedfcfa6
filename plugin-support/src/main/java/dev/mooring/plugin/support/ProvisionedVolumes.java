// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.spi.ProvisionRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Rules for volumes that a plugin makes as directories. Pure. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProvisionedVolumes {
    /** Annotation of a volume: whether its size is a limit, {@code true} or {@code false}. */
    public static final String CAPACITY_ENFORCED = "mooring.dev/capacity-enforced";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,200}[a-z0-9])?");

    private static final String CANNOT_BE_CHANGED = "; a class cannot be changed: delete it and create it again";

    private ProvisionedVolumes() {}

    /**
     * What is wrong with the name that the volume is to have; empty if it can name a file or directory.
     *
     * @param what what it is to name, for the message, such as {@code a directory of a volume}
     */
    public static Optional<String> nameProblem(ProvisionRequest request, String what) {
        return nameProblem(request.volumeName(), what);
    }

    /** The same for any name that is given to storage. */
    public static Optional<String> nameProblem(String name, String what) {
        return NAME.matcher(name).matches() ? Optional.empty() : Optional.of("'" + name + "' cannot name " + what);
    }

    /**
     * What is wrong with the parameters of the class; empty if nothing is. The first one in the order of the names is named, with what is
     * wrong: the name or the value. Names in the message are in alphabetical order.
     *
     * @param names the parameters that there are
     * @param good whether a value is one of the parameter of this name
     */
    public static Optional<String> parameterProblem(
            Map<String, String> parameters, Collection<String> names, BiPredicate<String, String> good) {
        return new TreeMap<>(parameters)
                .entrySet().stream()
                        .map(parameter -> parameterProblem(parameter.getKey(), parameter.getValue(), names, good))
                        .flatMap(Optional::stream)
                        .findFirst();
    }

    private static Optional<String> parameterProblem(
            String name, String value, Collection<String> names, BiPredicate<String, String> good) {
        if (!names.contains(name)) {
            return Optional.of("parameter " + name + " is unknown; valid are: "
                    + String.join(", ", new TreeSet<>(names)) + CANNOT_BE_CHANGED);
        }
        return good.test(name, value)
                ? Optional.empty()
                : Optional.of("the value '" + value + "' of parameter " + name + " is not valid" + CANNOT_BE_CHANGED);
    }

    /** The access modes that the claim asks for, or this one if it asks for none. */
    public static List<AccessMode> accessModes(ProvisionRequest request, AccessMode usual) {
        return request.accessModes().isEmpty() ? List.of(usual) : request.accessModes();
    }
}
