// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import dev.mooring.storage.document.Document;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The objects at the end, without what a seed may change: uids, which are drawn, and versions, which count in the order of writes. */
final class SeedFree {
    private SeedFree() {}

    static String write(PlayReport report) {
        Map<String, String> owners = new LinkedHashMap<>(); // claims before volumes, whose names may hold a claim's uid
        for (boolean volumes : List.of(false, true)) {
            for (StepReport step : report.steps()) {
                step.objects().stream()
                        .filter(object -> Documents.text(object, "kind").equals("PersistentVolume") == volumes)
                        .forEach(object -> owners.putIfAbsent(
                                Documents.text(object, "metadata", "uid"),
                                "(uid of " + replaced(Documents.title(object), owners) + ")"));
            }
        }
        return report.steps().get(report.steps().size() - 1).objects().stream()
                .map(object -> without(object, owners))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    private static String without(Document object, Map<String, String> owners) {
        return replaced(ScenarioJson.oneLine(Documents.ordered(object)), owners)
                .replaceAll("\"resourceVersion\":\"[0-9]+\"", "")
                .replaceAll("\\bcsi-[0-9a-f]{64}\\b", "csi-(digest of names)"); // volumes may be named by uids
    }

    private static String replaced(String text, Map<String, String> owners) {
        String without = text;
        for (Map.Entry<String, String> owner : owners.entrySet()) {
            without = without.replace(owner.getKey(), owner.getValue());
        }
        return without;
    }
}
