// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.downward;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ResourceRequirements;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A {@code resourceFieldRef}: how much of a resource a container asks for, as a number (semantics/plugins §1.9). Pure.
 *
 * @param container the container's name
 * @param resource such as {@code limits.memory}
 * @param divisor the unit of the number; more than nothing
 */
public record ResourceField(String container, String resource, Quantity divisor) {
    private static final Quantity ONE = Quantity.parse("1");
    private static final String LIMITS = "limits.";
    private static final String REQUESTS = "requests.";
    private static final String CPU = "cpu";
    /** What a container without a limit may use as much of as the node has. */
    private static final Set<String> SHARED = Set.of(CPU, "memory", "ephemeral-storage");

    /** Reads a reference without a {@link #problem}. */
    public static ResourceField of(Document ref) {
        return new ResourceField(
                ref.text("containerName").orElse(""),
                ref.text("resource").orElse(""),
                divisor(ref).filter(unit -> unit.signum() > 0).orElse(ONE));
    }

    private static Optional<Quantity> divisor(Document ref) {
        return ref.at("divisor").flatMap(written -> Quantity.tryParse(written.toString()));
    }

    /** What is wrong with a reference, as {@code field: rule}; empty if nothing is. */
    public static Optional<String> problem(Document ref) {
        String resource = ref.text("resource").orElse("");
        if (!isKnown(resource)) {
            return Optional.of("resource: '" + resource + "' is not something that containers are given");
        }
        boolean wrong = ref.at("divisor").isPresent()
                && divisor(ref).filter(unit -> unit.signum() >= 0).isEmpty();
        return wrong ? Optional.of("divisor: must be a quantity that is not negative") : Optional.empty();
    }

    private static boolean isKnown(String field) {
        boolean of = field.startsWith(LIMITS) || field.startsWith(REQUESTS);
        String name = field.substring(field.indexOf('.') + 1);
        return of
                && (SHARED.contains(name) || (name.startsWith("hugepages-") && name.length() > "hugepages-".length()));
    }

    private String name() {
        return resource.substring(resource.indexOf('.') + 1);
    }

    /** Whether the number depends on the node: the container has no limit of its own. */
    public boolean needsNode(Pod pod) {
        return resource.startsWith(LIMITS)
                && SHARED.contains(name())
                && find(pod).filter(found -> own(found).isEmpty()).isPresent();
    }

    /**
     * The number, rounded up to a whole one.
     *
     * @param allocatable what the node has for pods, by resource; only asked for a limit that the container does not have
     * @return NOT_FOUND if the pod has no such container, or if the limit is the node's, which is not known
     */
    public Outcome<String> value(Pod pod, Map<String, Quantity> allocatable) {
        Optional<Container> found = find(pod);
        if (found.isEmpty()) {
            return Outcome.refused(Refusal.NOT_FOUND, "the pod has no container \"" + container + "\"");
        }
        Optional<Quantity> own = own(found.get());
        if (own.isPresent() || !needsNode(pod)) {
            return Outcome.done(divided(own.orElse(Quantity.ZERO)));
        }
        return Optional.ofNullable(allocatable.get(name()))
                .map(all -> Outcome.done(divided(all)))
                .orElseGet(() -> Outcome.refused(
                        Refusal.NOT_FOUND,
                        "container \"" + container + "\" has no limit of " + name() + ", and how much of it node \""
                                + pod.spec().nodeName() + "\" has for pods is not known (status.allocatable)"));
    }

    private Optional<Container> find(Pod pod) {
        return Stream.concat(pod.spec().containers().stream(), pod.spec().initContainers().stream())
                .filter(known -> known.name().equals(container))
                .findFirst();
    }

    private Optional<Quantity> own(Container found) {
        return found.resources()
                .map(resource.startsWith(LIMITS) ? ResourceRequirements::limits : ResourceRequirements::requests)
                .flatMap(known -> Optional.ofNullable(known.get(name())))
                .filter(quantity -> quantity.signum() != 0);
    }

    /** As Kubernetes divides: both are whole numbers, of thousandths for the processor, and the result is rounded up. */
    private String divided(Quantity quantity) {
        return new BigDecimal(whole(quantity))
                .divide(new BigDecimal(whole(divisor)), 0, RoundingMode.CEILING)
                .toPlainString();
    }

    private BigInteger whole(Quantity quantity) {
        BigDecimal value = name().equals(CPU) ? quantity.value().movePointRight(3) : quantity.value();
        return value.setScale(0, RoundingMode.CEILING).toBigIntegerExact();
    }
}
