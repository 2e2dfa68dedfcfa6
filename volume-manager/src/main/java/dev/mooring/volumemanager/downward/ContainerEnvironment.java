// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.downward;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.EnvVar;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The environment of a container, as far as it is known before the container is made: values that are written in the pod and fields of
 * the pod (semantics/attach-and-mount §3.15). What comes from other objects is not guessed: a user of such a variable is told its name.
 * Pure.
 */
public final class ContainerEnvironment {
    /** A kubelet defines such variables for the services that it knows, and none for those that it does not know. */
    private static final Pattern OF_A_SERVICE =
            Pattern.compile("[A-Z0-9_]+_(SERVICE_HOST|SERVICE_PORT|PORT)(_[A-Z0-9_]+)?");

    private final Pod pod;
    private final Container container;
    private final Map<String, Outcome<String>> variables = new LinkedHashMap<>();

    private ContainerEnvironment(Pod pod, Container container) {
        this.pod = pod;
        this.container = container;
    }

    /** The environment of one of a pod's containers. */
    public static ContainerEnvironment of(Pod pod, Container container) {
        ContainerEnvironment environment = new ContainerEnvironment(pod, container);
        for (EnvVar variable : container.env()) {
            environment.variables.put(variable.name(), environment.valueOf(variable));
        }
        return environment;
    }

    /**
     * Puts values in the place of the variables in a path.
     *
     * @return INVALID, naming them, if variables have no value or an empty one; UNSUPPORTED if they come from other objects
     */
    public Outcome<String> expandPath(String expression) {
        Set<String> missing = new TreeSet<>();
        Set<String> problems = new LinkedHashSet<>();
        String expanded = Expansion.expand(expression, name -> {
            Optional<String> known = known(name, problems);
            if (known.filter(value -> !value.isEmpty()).isEmpty()) {
                missing.add(name);
            }
            return known.orElse("");
        });
        if (!problems.isEmpty()) {
            return unsupported(problems);
        }
        return missing.isEmpty()
                ? Outcome.done(expanded)
                : Outcome.refused(Refusal.INVALID, "missing value for " + String.join(", ", missing));
    }

    private static Outcome<String> unsupported(Set<String> problems) {
        return Outcome.refused(Refusal.UNSUPPORTED, String.join("; ", problems));
    }

    /** A variable's value; empty if it has none, and why that is not certain among the problems. */
    private Optional<String> known(String name, Set<String> problems) {
        Optional<Outcome<String>> known = Optional.ofNullable(variables.get(name));
        if (known.isPresent()) {
            if (!known.get().isDone()) {
                problems.add(known.get().message());
            }
            return known.get().result();
        }
        if (!container.envFrom().isEmpty()) {
            problems.add("variable " + name + " may come from envFrom, which is not read for paths");
        } else if (OF_A_SERVICE.matcher(name).matches()) {
            problems.add("variable " + name + " may be that of a service, which is not read for paths");
        }
        return Optional.empty();
    }

    private Outcome<String> valueOf(EnvVar variable) {
        if (!variable.value().isEmpty() || variable.valueFrom().isEmpty()) {
            Set<String> problems = new LinkedHashSet<>();
            String expanded = Expansion.expand(
                    variable.value(), name -> known(name, problems).orElse("$(" + name + ")"));
            return problems.isEmpty() ? Outcome.done(expanded) : unsupported(problems);
        }
        Document from = variable.valueFrom().get();
        Optional<String> field = from.text("fieldRef", "fieldPath");
        if (field.isPresent()) {
            return DownwardFields.ofEnvironment(pod, field.get())
                    .map(Outcome::done)
                    .orElseGet(() -> notRead(variable, "field " + field.get()));
        }
        return from.object("resourceFieldRef")
                .map(ref -> resource(variable, ref))
                .orElseGet(() -> notRead(
                        variable, from.asMap().keySet().stream().findFirst().orElse("nothing")));
    }

    private Outcome<String> resource(EnvVar variable, Document ref) {
        ResourceField written = ResourceField.of(ref);
        ResourceField field = written.container().isEmpty()
                ? new ResourceField(container.name(), written.resource(), written.divisor())
                : written;
        // A path that depends on the size of the node would be another one on the next node.
        return ResourceField.problem(ref).isPresent() || field.needsNode(pod)
                ? notRead(variable, "resourceFieldRef " + field.resource())
                : field.value(pod, Map.of());
    }

    private static Outcome<String> notRead(EnvVar variable, String from) {
        return Outcome.refused(
                Refusal.UNSUPPORTED,
                "variable " + variable.name() + " comes from " + from + ", which is not read for paths");
    }
}
