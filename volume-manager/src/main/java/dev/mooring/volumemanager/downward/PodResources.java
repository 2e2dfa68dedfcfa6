// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.downward;

import dev.mooring.storage.model.Container;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.ResourceRequirements;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How much of the machine a pod may use. Pure. */
public final class PodResources {
    private PodResources() {}

    private static final String HUGE_PAGES = "hugepages-";

    /**
     * The most of a resource that all containers of a pod may use at one time, as a kubelet bounds the pod: the pod's own limit, or else
     * what its containers may use together, of which those before the others run one after the other; with what the pod costs besides.
     *
     * @return empty if the pod is not bounded, since not every container is
     */
    public static Optional<Quantity> limit(Pod pod, String resource) {
        Optional<Quantity> whole = limit(pod.spec().resources(), resource);
        Optional<Quantity> together = whole.isPresent() ? whole : ofContainers(pod, resource);
        return together.map(sum -> Optional.ofNullable(pod.spec().overhead().get(resource))
                .map(sum::plus)
                .orElse(sum));
    }

    /**
     * The sizes of huge pages that a pod and its containers ask for, as {@code 2Mi} in {@code hugepages-2Mi}. A limit alone is a request too.
     */
    public static Set<String> hugePageSizes(Pod pod) {
        Stream<Optional<ResourceRequirements>> ofContainers = Stream.of(
                        pod.spec().containers(), pod.spec().initContainers())
                .flatMap(List::stream)
                .map(Container::resources);
        return Stream.concat(Stream.of(pod.spec().resources()), ofContainers)
                .flatMap(Optional::stream)
                .flatMap(known -> Stream.of(known.requests(), known.limits()))
                .flatMap(amounts -> amounts.entrySet().stream())
                .filter(amount -> amount.getKey().startsWith(HUGE_PAGES)
                        && amount.getValue().signum() > 0)
                .map(amount -> amount.getKey().substring(HUGE_PAGES.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Optional<Quantity> ofContainers(Pod pod, String resource) {
        boolean all = Stream.concat(pod.spec().containers().stream(), pod.spec().initContainers().stream())
                .allMatch(container -> limit(container.resources(), resource).isPresent());
        if (!all || pod.spec().containers().isEmpty()) {
            return Optional.empty();
        }
        Quantity together = Quantity.ZERO;
        for (Container container : pod.spec().containers()) {
            together = together.plus(limitOf(container, resource));
        }
        Quantity staying = Quantity.ZERO;
        Quantity before = Quantity.ZERO;
        for (Container container : pod.spec().initContainers()) {
            Quantity own = limitOf(container, resource);
            if (container.restartPolicy().filter("Always"::equals).isPresent()) {
                staying = staying.plus(own);
                together = together.plus(own);
                before = larger(before, staying);
            } else {
                before = larger(before, staying.plus(own));
            }
        }
        return Optional.of(larger(together, before));
    }

    private static Quantity limitOf(Container container, String resource) {
        return limit(container.resources(), resource).orElse(Quantity.ZERO);
    }

    private static Optional<Quantity> limit(Optional<ResourceRequirements> resources, String resource) {
        return resources
                .flatMap(known -> Optional.ofNullable(known.limits().get(resource)))
                .filter(limit -> limit.signum() > 0);
    }

    private static Quantity larger(Quantity one, Quantity other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
