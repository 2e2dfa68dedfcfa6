// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.simulation.world.Trace.CallEntry;
import dev.mooring.simulation.world.Trace.EventEntry;
import dev.mooring.simulation.world.Trace.WriteEntry;
import dev.mooring.storage.document.Document;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Document VOLUME = object(
            "PersistentVolume",
            Map.of("name", "pv3"),
            Map.of("claimRef", Map.of("namespace", "test", "name", "myclaim")),
            Map.of("phase", "Bound"));
    private static final Document CLAIM = object(
            "PersistentVolumeClaim",
            Map.of("name", "myclaim", "namespace", "test"),
            Map.of("volumeName", "pv3"),
            Map.of("phase", "Lost"));
    private static final Document NODE = object(
            "Node",
            Map.of("name", "n1", "deletionTimestamp", "2000-01-01T00:00:00Z"),
            Map.of(),
            Map.of("conditions", List.of(Map.of("type", "Ready", "status", "Unknown"))));

    private static final PlayReport REPORT = new PlayReport(
            "story",
            List.of(
                    new StepReport(
                            "first",
                            Duration.ZERO,
                            List.of(NODE, VOLUME),
                            List.of(),
                            List.of(new WriteEntry("update", "PersistentVolume", "", "pv3", "status", "ok")),
                            List.of(),
                            List.of()),
                    new StepReport(
                            "second",
                            Duration.ofSeconds(90),
                            List.of(VOLUME, CLAIM),
                            List.of(new EventEntry(
                                    "PersistentVolumeClaim",
                                    "test",
                                    "myclaim",
                                    "Warning",
                                    "ClaimLost",
                                    "gone \"é\"\n!")),
                            List.of(),
                            List.of(new CallEntry("kubernetes.io/nfs", "publish", "pv3", "n1", "done")),
                            List.of("expect[0]: something else"))));

    @Test
    void textShowsTablesMarksEventsAndFailures() {
        assertThat(TextReport.write(REPORT)).isEqualTo("""
                        scenario story

                        first  [0s]
                            KIND              NAME  PHASE                  BOUND OR ATTACHED TO
                          + Node              n1    Unknown (Terminating)
                          + PersistentVolume  pv3   Bound                  test/myclaim

                        second  [1m30s]
                            KIND                   NAME          PHASE  BOUND OR ATTACHED TO
                            PersistentVolume       pv3           Bound  test/myclaim
                          + PersistentVolumeClaim  test/myclaim  Lost   pv3
                          - Node                   n1            gone
                          events:
                            Warning ClaimLost PersistentVolumeClaim test/myclaim: gone "é" !
                          calls:
                            kubernetes.io/nfs publish pv3 on n1: done
                          FAILED  expect[0]: something else

                        failed: 1 expectation did not hold
                        """);
    }

    @Test
    void jsonIsTheDocumentOfTheFormat() {
        assertThat(JsonReport.write(REPORT)).startsWith("""
                        {
                          "scenario": "story",
                          "passed": false,
                          "steps": [
                            {
                              "name": "first",
                              "time": "0s",
                              "objects": [
                                {
                                  "apiVersion": "v1",
                                  "kind": "Node",
                                  "metadata": {
                                    "deletionTimestamp": "2000-01-01T00:00:00Z",
                                    "name": "n1"
                                  },
                                  "spec": {},
                                  "status": {
                        """).contains("""
                              "events": [],
                              "writes": [
                                {
                                  "verb": "update",
                                  "kind": "PersistentVolume",
                                  "namespace": "",
                                  "name": "pv3",
                                  "subresource": "status",
                                  "outcome": "ok"
                                }
                              ],
                              "calls": [],
                              "failures": []
                        """).contains("""
                              "events": [
                                {
                                  "kind": "PersistentVolumeClaim",
                                  "namespace": "test",
                                  "name": "myclaim",
                                  "type": "Warning",
                                  "reason": "ClaimLost",
                                  "message": "gone \\"é\\"\\n!"
                                }
                              ],
                              "writes": [],
                              "calls": [
                                {
                                  "plugin": "kubernetes.io/nfs",
                                  "operation": "publish",
                                  "volume": "pv3",
                                  "node": "n1",
                                  "outcome": "done"
                                }
                              ],
                              "failures": [
                                "expect[0]: something else"
                              ]
                            }
                          ]
                        }
                        """);
    }

    private static Document object(String kind, Map<String, ?> metadata, Map<String, ?> spec, Map<String, ?> status) {
        return Document.of(
                Map.of("apiVersion", "v1", "kind", kind, "metadata", metadata, "spec", spec, "status", status));
    }
}
