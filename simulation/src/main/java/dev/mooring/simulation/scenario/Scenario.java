// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.clusterstore.schema.Schema;
import dev.mooring.storage.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A story that can be played.
 *
 * @param place the file
 * @param name the scenario's name
 * @param seed decides every choice
 * @param controllers the controllers that take part, in the words of the format
 * @param included objects that users applied before the first step
 * @param moreDrivers CSI drivers that take part though no volume of the story names them
 * @param attached CSI drivers that an external attacher, provisioner and resizer serve; each runs from when a step restarts it
 * @param invariants whether Mooring's invariants are held against every step
 * @param lenient whether what cannot be done is passed over: users are refused, processes are not there; and whether back-ends destroy
 *     also what they did not make
 * @param steps the steps
 */
record Scenario(
        ScenarioPlace place,
        String name,
        long seed,
        Set<String> controllers,
        List<Manifest> included,
        List<String> moreDrivers,
        Set<String> attached,
        boolean invariants,
        boolean lenient,
        List<ScenarioStep> steps) {
    /** Copies the set. */
    Scenario {
        attached = Set.copyOf(attached);
    }

    /** The CSI drivers that volumes name, anywhere in the story, and that a plugin serves; in order. */
    Set<String> drivers() {
        Set<String> drivers = new TreeSet<>(moreDrivers);
        manifests().forEach(manifest -> drivers.addAll(drivers(manifest.document())));
        drivers.removeAll(attached);
        return drivers;
    }

    /** The unknown fields in the file's objects, each with its place. */
    List<String> unknownFields() {
        Schema schema = Schema.standard();
        Stream<String> inObjects = manifests()
                .flatMap(each -> schema.decode(each.ref().kind(), each.document()).unknown().stream()
                        .map(field -> unknown(each.place().at(field))));
        Stream<String> inPatches = steps.stream()
                .flatMap(step -> step.patches().stream())
                .flatMap(each -> schema.decode(each.ref().kind(), each.merge()).unknown().stream()
                        .map(field -> unknown(each.place().at("merge").at(field))));
        return Stream.concat(inObjects, inPatches).toList();
    }

    private static String unknown(ScenarioPlace field) {
        return field + ": unknown field";
    }

    /** All whole objects, in their order. */
    private Stream<Manifest> manifests() {
        Stream<Manifest> told =
                steps.stream().flatMap(step -> Stream.concat(step.load().stream(), step.apply().stream()));
        return Stream.concat(included.stream(), told);
    }

    /** Those of a volume, or of the sources that are written in a pod. */
    private static List<String> drivers(Document document) {
        List<String> drivers = new ArrayList<>();
        document.text("spec", "csi", "driver").ifPresent(drivers::add);
        Documents.maps(document, "spec", "volumes")
                .forEach(volume -> volume.text("csi", "driver").ifPresent(drivers::add));
        return drivers;
    }
}
